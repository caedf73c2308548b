import { sql } from 'drizzle-orm'
import { sampleContent } from '#company/sample-content.ts'
import { sameUrl, wholeSource } from '#src/server/search/search.ts'
import type { App } from '#src/server/types.ts'
import { noteRoutes } from './routes.ts'
import { noteContent, notePages, readNotes, readOlderNotes } from './service.ts'
import { notes as table } from './table.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { notes } from '../feature.ts'

declare module '#src/server/pages/pages.ts' {
  interface PageServices {
    notes: ReturnType<typeof pageServices>
  }
}

const pageServices = (app: App) => ({ findRecent: () => readNotes(app), findOlder: (page: number) => readOlderNotes(app, page) })

export const notesServer = serverFeature(notes, {
  api: { '/api/notes/notes': noteRoutes },
  content: [noteContent],
  pageWriters: { notes: notePages },
  impersonalColumns: [
    { columns: [table.date, table.note, table.noteEn, table.englishOlder], reason: 'texts that the company publishes' },
  ],
  tableEnds: [
    {
      tables: [table],
      label: { fr: 'Avis de service', en: 'Service notices' },
      reason: {
        fr: 'Ils sont l’historique public du réseau. Le personnel supprime ceux qui ne servent plus.',
        en: 'They are the public history of the network. Staff delete those no longer used.',
      },
    },
  ],
  pageServices: (app) => ({ notes: pageServices(app) }),
  searchable: [
    wholeSource(['notes'], async (app) =>
      (await readNotes(app)).map((note) => ({
        key: `notice-${note.id_note}`,
        kind: 'notice',
        title: { fr: note.note_date || 'Avis de service', en: note.note_date || 'Service notice' },
        text: { fr: note.note, en: note.note_en },
        url: sameUrl('/reseau'),
      })),
    ),
  ],
  async putSample(tx) {
    // Oldest first: the list shows the newest on top, by the time of their creation.
    for (const note of sampleContent.notes.toReversed()) {
      await tx
        .insert(table)
        .values({ date: note.note_date, note: note.note, noteEn: note.note_en, createdAt: sql`clock_timestamp()` })
    }
  },
})
