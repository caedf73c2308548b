import type { FastifyReply, FastifyRequest } from 'fastify'
import { company } from '#company/company.ts'
import type { Language } from '#src/lib/language/language.ts'
import { addressInLanguage, defaultLanguage, locales } from '#src/lib/language/language.ts'
import { escapeXml } from '#src/lib/text/escape.ts'
import { cacheControlFor, etagOf, matchesEtag } from '../cache/shared-responses.ts'
import { requestOrigin } from './xsrf.ts'

export type FeedEntry = {
  /** After the # of its permanent id, which readers tell entries by. */
  id: string
  title: string
  /** Its page; that of the feed where there is none. */
  path?: string
  /** ISO date-times. */
  published?: string
  updated: string
  content: string
}

type Feed = {
  /** The page that shows the same. */
  path: string
  /** What ids of entries begin with, where that is another page. */
  idPath?: string
  title: string
  subtitle?: string
  /** Of each entry. */
  contentType: 'text' | 'html'
  /** Newest first. */
  entries: FeedEntry[]
}

const maxAge = 60

/** Answers with an Atom feed (RFC 4287) at `{path}/feed.{language}.xml`. */
export function sendFeed(request: FastifyRequest, reply: FastifyReply, language: Language, feed: Feed) {
  return sendShared(request, reply, renderFeed(requestOrigin(request), language, feed), 'application/atom+xml; charset=utf-8')
}

/** Answers with what everybody may keep for a minute. */
export function sendShared(request: FastifyRequest, reply: FastifyReply, body: string | Buffer, type: string) {
  const etag = etagOf(body)
  void reply.type(type).header('cache-control', cacheControlFor(request.server, maxAge)).header('etag', etag)
  return matchesEtag(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(body)
}

function renderFeed(origin: string, language: Language, { path, idPath = path, title, subtitle, contentType, entries }: Feed) {
  const base = contentType === 'html' ? ` xml:base="${escapeXml(origin)}/"` : ''
  const self = escapeXml(`${origin}${path}/feed.${language}.xml`)
  const addressOf = (page: string) =>
    escapeXml(origin + (language === defaultLanguage ? page : addressInLanguage(page, language)))
  const all = entries.map(
    (entry) => `<entry>
<id>${escapeXml(`${origin}${idPath}#${entry.id}`)}</id>
<title>${escapeXml(entry.title)}</title>
<link rel="alternate" type="text/html" href="${addressOf(entry.path ?? path)}"/>
${entry.published ? `<published>${entry.published}</published>\n` : ''}<updated>${entry.updated}</updated>
<content type="${contentType}"${base}>${escapeXml(entry.content)}</content>
</entry>`,
  )
  // An empty feed still needs a date; the epoch never changes under a reader.
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${locales[language]}">
<id>${self}</id>
<title>${escapeXml(title)}</title>
${subtitle ? `<subtitle>${escapeXml(subtitle)}</subtitle>\n` : ''}<updated>${entries[0]?.updated ?? new Date(0).toISOString()}</updated>
<author><name>${escapeXml(company.legalName)}</name></author>
<link rel="self" type="application/atom+xml" href="${self}"/>
<link rel="alternate" type="text/html" href="${addressOf(path)}"/>
${all.join('\n')}
</feed>
`
}
