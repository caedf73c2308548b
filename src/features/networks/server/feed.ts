import { company } from '#company/company.ts'
import { findDatedNotes } from '#src/features/notes/server/service.ts'
import type { Language } from '#src/lib/language/language.ts'
import { defaultLanguage, languages, locales, pickText } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { escapeXml } from '#src/lib/text/escape.ts'
import type { Database } from '#src/server/database/database.ts'
import { etagOf, cacheControlFor, matchesEtag } from '#src/server/cache/shared-responses.ts'
import type { Routes } from '#src/server/types.ts'
import { requestOrigin } from '#src/server/http/xsrf.ts'
import { feedTexts } from '../feed-texts.ts'
import { texts } from '../texts.ts'
import { networks } from './table.ts'

type Entry = { id: string; title: string; content: string; updated: Date }

const notesShown = 30
const maxAge = 60

/** `/reseau/feed.fr.xml` and `/reseau/feed.en.xml`: each change of a network and each note, for feed readers. */
export const feedRoutes: Routes = async (app) => {
  for (const language of languages) {
    app.get(`/feed.${language}.xml`, { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
      const xml = renderFeed(requestOrigin(request), language, await findEntries(app.db, language))
      const etag = etagOf(xml)
      void reply
        .type('application/atom+xml; charset=utf-8')
        .header('cache-control', cacheControlFor(app, maxAge))
        .header('etag', etag)
      return matchesEtag(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(xml)
    })
  }
}

async function findEntries(db: Database, language: Language): Promise<Entry[]> {
  const t = translator(feedTexts, language)
  const nameless = translator(texts, language)('nameless')
  const [rows, notes] = await Promise.all([db.select().from(networks), findDatedNotes(db, notesShown)])
  const states = { ONLINE: t('online'), OFFLINE: t('offline'), '': t('unknown') }
  const statuses = { OK: t('ok'), WARNING: t('warning'), ERROR: t('error') }
  return [
    ...rows.map((row) => ({
      // The version makes each change a new entry, which readers announce.
      id: `network-${row.id}-${row.version}`,
      title: t('networkTitle', { name: row.name || nameless, state: states[row.status] }),
      content: row.details
        .map((one) => t('detail', { name: pickText(language, one.nom, one.nom_en), status: statuses[one.statut] }))
        .join('\n'),
      updated: row.updatedAt,
    })),
    ...notes.map((note) => ({
      id: `note-${note.id}-${note.version}`,
      title: t('noteTitle', { date: note.date }),
      content: pickText(language, note.note, note.noteEn),
      updated: note.updatedAt,
    })),
  ].toSorted((one, other) => other.updated.getTime() - one.updated.getTime() || one.id.localeCompare(other.id))
}

function renderFeed(origin: string, language: Language, entries: Entry[]) {
  const t = translator(feedTexts, language)
  const page = `${origin}/reseau${language === defaultLanguage ? '' : `?lang=${language}`}`
  const self = `${origin}/reseau/feed.${language}.xml`
  // An empty feed still needs a date; the epoch never changes under a reader.
  const updated = (entries[0]?.updated ?? new Date(0)).toISOString()
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${locales[language]}">
<id>${escapeXml(self)}</id>
<title>${escapeXml(t('title', { company: company.name }))}</title>
<subtitle>${escapeXml(t('subtitle'))}</subtitle>
<updated>${updated}</updated>
<author><name>${escapeXml(company.legalName)}</name></author>
<link rel="self" type="application/atom+xml" href="${escapeXml(self)}"/>
<link rel="alternate" type="text/html" href="${escapeXml(page)}"/>
${entries.map((entry) => renderEntry(origin, page, entry)).join('\n')}
</feed>
`
}

function renderEntry(origin: string, page: string, { id, title, content, updated }: Entry) {
  return `<entry>
<id>${escapeXml(`${origin}/reseau#${id}`)}</id>
<title>${escapeXml(title)}</title>
<updated>${updated.toISOString()}</updated>
<link rel="alternate" type="text/html" href="${escapeXml(page)}"/>
<content type="text">${escapeXml(content)}</content>
</entry>`
}
