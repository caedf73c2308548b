import type { EnglishOlder, Pair } from '#src/lib/english-older.ts'
import { missingEnglish } from '#src/lib/english-older.ts'
import type { Database } from '#src/server/database/database.ts'
import { employeeEntries } from '#src/features/employees/server/service.ts'
import { employeePairs } from '#src/features/employees/values.ts'
import type { Area, Rights } from '#src/lib/rights.ts'
import { hasRight } from '#src/lib/rights.ts'
import { homeInformationEntries, homeMessageEntries } from '#src/features/home/server/service.ts'
import { informationPairs, messagePairs } from '#src/features/home/values.ts'
import { jobEntries } from '#src/features/jobs/server/service.ts'
import { jobPairs } from '#src/features/jobs/values.ts'
import { networkEntries } from '#src/features/networks/server/service.ts'
import { readDetails } from '#src/features/networks/values.ts'
import { noteEntries } from '#src/features/notes/server/service.ts'
import { notePairs } from '#src/features/notes/values.ts'
import type { Translation } from '../contract.ts'

type Entry = { id: number; name: string; fields: object; english_older?: EnglishOlder }
type Source = { kind: Translation['kind']; area: Area; pairs: readonly Pair[]; find: (db: Database) => Promise<Entry[]> }

const sources: Source[] = [
  {
    kind: 'employees',
    area: 'employees',
    pairs: employeePairs,
    find: async (db) =>
      (await employeeEntries.findAll(db)).map((one) => ({ ...one, fields: one, id: one.id_employe, name: one.nom })),
  },
  {
    kind: 'jobs',
    area: 'jobs',
    pairs: jobPairs,
    find: async (db) =>
      (await jobEntries.findAll(db))
        .filter((one) => one.state !== 'closed')
        .map((one) => ({ ...one, fields: one, id: one.id_emploi, name: one.titre })),
  },
  {
    kind: 'networks',
    area: 'networks',
    pairs: [['french', 'english']],
    find: async (db) =>
      (await networkEntries.findAll(db)).map((one) => ({ id: one.id_reseau, name: one.nom, fields: namesOf(one.details) })),
  },
  {
    kind: 'notes',
    area: 'notes',
    pairs: notePairs,
    find: async (db) =>
      (await noteEntries.findAll(db)).map((one) => ({ ...one, fields: one, id: one.id_note, name: one.note_date })),
  },
  {
    kind: 'home_message',
    area: 'home',
    pairs: messagePairs,
    find: async (db) =>
      (await homeMessageEntries.findAll(db)).map((one) => ({ ...one, fields: one, id: one.id_home_message, name: '' })),
  },
  {
    kind: 'home_information',
    area: 'home',
    pairs: informationPairs,
    find: async (db) =>
      (await homeInformationEntries.findAll(db)).map((one) => ({
        ...one,
        fields: one,
        id: one.id_home_information,
        name: one.title,
      })),
  },
]

/** Entries whose English wants work, among those a person may edit. */
export async function findTranslations(db: Database, rights: Rights): Promise<Translation[]> {
  const found: Translation[] = []
  for (const { kind, area, pairs, find } of sources) {
    if (!hasRight(rights, area, 'read_write')) continue
    for (const { id, name, fields, english_older: older = {} } of await find(db)) {
      const missing = missingEnglish(pairs, fields).length > 0
      const since = Object.values(older).toSorted()[0] ?? null
      if (missing || since) found.push({ kind, id, name, missing, older_since: since })
    }
  }
  return found
}

/** The elements of a network as one pair: the English is missing where one element has none. */
function namesOf(details: string) {
  const untranslated = readDetails(details).find((detail) => detail.nom.trim() && !detail.nom_en.trim())
  return { french: untranslated?.nom ?? '', english: '' }
}
