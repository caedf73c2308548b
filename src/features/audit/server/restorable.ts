import type { z } from 'zod'
import type { EnglishOlder } from '#src/lib/english-older.ts'
import type { Entries, EntryContext } from '#src/features/content/server/entries.ts'
import type { Author } from '#src/server/audit-log/journal.ts'
import { Conflict } from '#src/server/problems.ts'
import { cannedInput } from '../../chat/contract.ts'
import { cannedEntries } from '../../chat/server/canned-service.ts'
import { employeeInput } from '../../employees/contract.ts'
import { employeeEntries } from '../../employees/server/service.ts'
import type { Area } from '#src/lib/rights.ts'
import { homeInformationInput, homeMessageInput } from '../../home/contract.ts'
import { homeInformationEntries, homeMessageEntries } from '../../home/server/service.ts'
import { jobInput } from '../../jobs/contract.ts'
import { jobEntries } from '../../jobs/server/service.ts'
import { networkInput } from '../../networks/contract.ts'
import { networkEntries } from '../../networks/server/service.ts'
import { noteInput } from '../../notes/contract.ts'
import { noteEntries } from '../../notes/server/service.ts'

/** What a line of the journal kept of a deleted entry. */
type Kept = Record<string, unknown> & { version: number; created_at?: string; english_older?: EnglishOlder }

type Restorable = {
  area: Area
  kind: string | undefined
  restore: (context: EntryContext, author: Author, kept: Kept) => Promise<unknown>
}

/** Every kind of content whose deletion can be undone. */
const kinds: Restorable[] = [
  restorable('employees', employeeEntries, employeeInput, 'id_employe'),
  restorable('jobs', jobEntries, jobInput, 'id_emploi'),
  restorable('networks', networkEntries, networkInput, 'id_reseau'),
  restorable('notes', noteEntries, noteInput, 'id_note'),
  restorable('home', homeMessageEntries, homeMessageInput, 'id_home_message'),
  restorable('home', homeInformationEntries, homeInformationInput, 'id_home_information'),
  restorable('chat', cannedEntries, cannedInput, 'id_canned'),
]

/** The kind a line speaks of; entries of a named kind are written `kind/id`. */
export function findRestorable(area: string, entryId: string | null) {
  const kind = entryId?.includes('/') ? entryId.split('/')[0] : undefined
  return kinds.find((one) => one.area === area && one.kind === kind)
}

function restorable<Entity extends object, Input>(
  area: Area,
  entries: Entries<Entity, Input>,
  input: z.ZodType<Input> & { shape: object },
  idKey: string,
): Restorable {
  return {
    area,
    kind: entries.kind,
    restore: (context, author, kept) => {
      const fields = Object.keys(input.shape).filter((key) => key !== 'version' && key in kept)
      const parsed = input.safeParse(Object.fromEntries(fields.map((key) => [key, kept[key]])))
      const id = Number(kept[idKey])
      if (!parsed.success || !Number.isInteger(id))
        throw new Conflict('This entry was stored in an older format and cannot be restored automatically.')
      const createdAt = kept.created_at ? { createdAt: new Date(kept.created_at) } : {}
      const englishOlder = kept.english_older ? { englishOlder: kept.english_older } : {}
      return entries.restore(context, author, { id, version: kept.version, ...createdAt, ...englishOlder }, parsed.data)
    },
  }
}
