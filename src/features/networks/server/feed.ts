import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { company } from '#company/company.ts'
import { findDatedNotes } from '#src/features/notes/server/service.ts'
import type { Language } from '#src/lib/language/language.ts'
import { defaultLanguage, languages, locales, pickText } from '#src/lib/language/language.ts'
import { setTypography, translator } from '#src/lib/language/texts.ts'
import { escapeXml } from '#src/lib/text/escape.ts'
import { idParam } from '#src/lib/schemas.ts'
import type { Database } from '#src/server/database/database.ts'
import { etagOf, cacheControlFor, matchesEtag } from '#src/server/cache/shared-responses.ts'
import type { Routes } from '#src/server/types.ts'
import { requestOrigin } from '#src/server/http/xsrf.ts'
import { feedTexts } from '../feed-texts.ts'
import { statusTexts } from '../status-texts.ts'
import type { Incident } from '../contract.ts'
import { readIncidents } from './incident-list.ts'
import { findPublished } from './overview.ts'
import { isPublic } from './service.ts'
import { findSharePicture } from './share-picture.ts'
import { networks } from './table.ts'

type Entry = { id: string; title: string; content: string; updated: Date; path?: string }

const notesShown = 30
const maxAge = 60

/** `/reseau/feed.fr.xml` and `/reseau/feed.en.xml`: each change of a network and each note, for feed readers. */
export const feedRoutes: Routes = async (app) => {
  for (const language of languages) {
    app.get(`/feed.${language}.xml`, { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
      const [entries, incidents] = await Promise.all([findEntries(app.db, language), readIncidents(app)])
      const all = [...entries, ...incidents.flatMap((one) => entriesOf(one, language))]
      return send(
        request,
        reply,
        renderFeed(requestOrigin(request), language, { path: '/reseau', entries: all.toSorted(newestFirst) }),
      )
    })
    app.get(
      `/incident/:id/feed.${language}.xml`,
      { config: { access: 'public' }, schema: { hide: true, params: z.strictObject({ id: idParam }) } },
      async (request, reply) => {
        const incident = await findPublished(app, request.params.id)
        const entries = entriesOf(incident, language).toSorted(newestFirst)
        const path = `/reseau/incident/${incident.id_incident}`
        const title = pickText(language, incident.title, incident.title_en)
        return send(request, reply, renderFeed(requestOrigin(request), language, { path, title, entries }))
      },
    )
    app.get(
      `/incident/:id/share.${language}.png`,
      { config: { access: 'public' }, schema: { hide: true, params: z.strictObject({ id: idParam }) } },
      async (request, reply) => send(request, reply, await findSharePicture(app, request.params.id, language), 'image/png'),
    )
  }
}

function send(request: FastifyRequest, reply: FastifyReply, body: string | Buffer, type = 'application/atom+xml; charset=utf-8') {
  const etag = etagOf(body)
  void reply.type(type).header('cache-control', cacheControlFor(request.server, maxAge)).header('etag', etag)
  return matchesEtag(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(body)
}

/** One entry an update: readers announce each. */
function entriesOf(incident: Incident, language: Language): Entry[] {
  const t = translator(statusTexts, language)
  const name = pickText(language, incident.title, incident.title_en)
  return incident.updates.map((update) => ({
    id: `incident-${incident.id_incident}-${update.id_update}`,
    title: setTypography(`${name}${language === 'fr' ? ' : ' : ': '}${t(update.phase)}`, language),
    content: pickText(language, update.text, update.text_en),
    updated: new Date(update.at),
    path: `/reseau/incident/${incident.id_incident}`,
  }))
}

const newestFirst = (one: Entry, other: Entry) =>
  other.updated.getTime() - one.updated.getTime() || one.id.localeCompare(other.id)

async function findEntries(db: Database, language: Language): Promise<Entry[]> {
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
        updated: row.updatedAt,
      })),
    ...notes.map((note) => ({
      id: `note-${note.id}-${note.version}`,
      title: t('noteTitle', { date: note.date }),
      content: pickText(language, note.note, note.noteEn),
      updated: note.updatedAt,
    })),
  ]
}

type Feed = { path: string; title?: string; entries: Entry[] }

function renderFeed(origin: string, language: Language, { path, title, entries }: Feed) {
  const t = translator(feedTexts, language)
  const page = `${origin}${path}${language === defaultLanguage ? '' : `?lang=${language}`}`
  const self = `${origin}${path}/feed.${language}.xml`
  // An empty feed still needs a date; the epoch never changes under a reader.
  const updated = (entries[0]?.updated ?? new Date(0)).toISOString()
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${locales[language]}">
<id>${escapeXml(self)}</id>
<title>${escapeXml(title ?? t('title', { company: company.name }))}</title>
<subtitle>${escapeXml(t('subtitle'))}</subtitle>
<updated>${updated}</updated>
<author><name>${escapeXml(company.legalName)}</name></author>
<link rel="self" type="application/atom+xml" href="${escapeXml(self)}"/>
<link rel="alternate" type="text/html" href="${escapeXml(page)}"/>
${entries.map((entry) => renderEntry(origin, page, entry)).join('\n')}
</feed>
`
}

function renderEntry(origin: string, page: string, { id, title, content, updated, path }: Entry) {
  return `<entry>
<id>${escapeXml(`${origin}/reseau#${id}`)}</id>
<title>${escapeXml(title)}</title>
<updated>${updated.toISOString()}</updated>
<link rel="alternate" type="text/html" href="${escapeXml(path ? origin + path : page)}"/>
<content type="text">${escapeXml(content)}</content>
</entry>`
}
