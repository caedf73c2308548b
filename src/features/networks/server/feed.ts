import { z } from 'zod'
import { company } from '#company/company.ts'
import { findDatedNotes } from '#src/features/notes/server/service.ts'
import type { Language } from '#src/lib/language/language.ts'
import { languages, pickText } from '#src/lib/language/language.ts'
import { setTypography, translator } from '#src/lib/language/texts.ts'
import { idParam } from '#src/lib/schemas.ts'
import type { Database } from '#src/server/database/database.ts'
import type { FeedEntry } from '#src/server/http/atom-feed.ts'
import { sendFeed } from '#src/server/http/atom-feed.ts'
import type { Routes } from '#src/server/types.ts'
import { feedTexts } from '../feed-texts.ts'
import { statusTexts } from '../status-texts.ts'
import type { Incident } from '../contract.ts'
import { readIncidents } from './incident-list.ts'
import { findPublished } from './overview.ts'
import { isPublic } from './service.ts'
import { networks } from './table.ts'

const notesShown = 30

/** `/reseau/feed.fr.xml` and `/reseau/feed.en.xml`: each change of a network and each note, for feed readers. */
export const feedRoutes: Routes = async (app) => {
  for (const language of languages) {
    app.get(`/feed.${language}.xml`, { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
      const [entries, incidents] = await Promise.all([findEntries(app.db, language), readIncidents(app)])
      const all = [...entries, ...incidents.flatMap((one) => entriesOf(one, language))]
      return sendFeed(request, reply, language, feedOf(language, '/reseau', all))
    })
    app.get(
      `/incident/:id/feed.${language}.xml`,
      { config: { access: 'public' }, schema: { hide: true, params: z.strictObject({ id: idParam }) } },
      async (request, reply) => {
        const incident = await findPublished(app, request.params.id)
        const path = `/reseau/incident/${incident.id_incident}`
        const title = pickText(language, incident.title, incident.title_en)
        return sendFeed(request, reply, language, { ...feedOf(language, path, entriesOf(incident, language)), title })
      },
    )
  }
}

function feedOf(language: Language, path: string, entries: FeedEntry[]) {
  const t = translator(feedTexts, language)
  return {
    path,
    idPath: '/reseau',
    title: t('title', { company: company.name }),
    subtitle: t('subtitle'),
    contentType: 'text' as const,
    entries: entries.toSorted(newestFirst),
  }
}

/** One entry an update: readers announce each. */
function entriesOf(incident: Incident, language: Language): FeedEntry[] {
  const t = translator(statusTexts, language)
  const name = pickText(language, incident.title, incident.title_en)
  return incident.updates.map((update) => ({
    id: `incident-${incident.id_incident}-${update.id_update}`,
    title: setTypography(`${name}${language === 'fr' ? ' : ' : ': '}${t(update.phase)}`, language),
    content: pickText(language, update.text, update.text_en),
    updated: update.at,
    path: `/reseau/incident/${incident.id_incident}`,
  }))
}

const newestFirst = (one: FeedEntry, other: FeedEntry) =>
  other.updated.localeCompare(one.updated) || one.id.localeCompare(other.id)

async function findEntries(db: Database, language: Language): Promise<FeedEntry[]> {
  const t = translator(feedTexts, language)
  const [rows, notes] = await Promise.all([db.select().from(networks), findDatedNotes(db, notesShown)])
  const states = { ONLINE: t('online'), OFFLINE: t('offline'), '': t('unknown') }
  const statuses = { OK: t('ok'), WARNING: t('warning'), ERROR: t('error') }
  return [
    ...rows
      .filter((row) => isPublic({ nom: row.name, publie: row.isPublished }))
      .map((row) => ({
        // The version makes each change a new entry, which readers announce.
        id: `network-${row.id}-${row.version}`,
        title: t('networkTitle', { name: row.name, state: states[row.status] }),
        content: row.details
          .map((one) => t('detail', { name: pickText(language, one.nom, one.nom_en), status: statuses[one.statut] }))
          .join('\n'),
        updated: row.updatedAt.toISOString(),
      })),
    ...notes.map((note) => ({
      id: `note-${note.id}-${note.version}`,
      title: t('noteTitle', { date: note.date }),
      content: pickText(language, note.note, note.noteEn),
      updated: note.updatedAt.toISOString(),
    })),
  ]
}
