import type { FastifyRequest } from 'fastify'
import {
  addressInLanguage,
  requestedLanguage,
  defaultLanguage,
  isLanguage,
  languageStorageKey,
} from '#src/lib/language/language.ts'
import { requestOrigin } from '../http/xsrf.ts'

/** Punctuation that may follow an address copied from a text. */
const trailing = /(?:[.,;:!?)\]}>'"*_]|%(?:2[0-27-9ace]|3[abcef]|5[df]|7d|c2%a0|c2%bb|e2%80%(?:99|9d|a6)))$/i
const longestCopied = 300

/** Redirect target for `/fr/…`, `/en/…` and for a `lang` copied with punctuation; null for other requests. */
export function redirectToLanguage(request: FastifyRequest) {
  if (!isRead(request)) return null
  const { url } = request
  const [, prefix, rest = ''] = /^\/(fr|en)(?=[/?]|$)(.*)$/i.exec(url) ?? []
  const prefixLanguage = prefix?.toLowerCase()
  if (isLanguage(prefixLanguage)) return addressInLanguage(ownAddress(rest), prefixLanguage)
  const language = new URLSearchParams(url.split('?', 2)[1]).get('lang')
  const copied = language !== null && requestedLanguage(url.slice(url.indexOf('?'))) === null ? withoutTrailing(language) : ''
  return isLanguage(copied.toLowerCase()) ? addressInLanguage(ownAddress(url), copied.toLowerCase() as 'fr' | 'en') : null
}

/**
 * Redirect target that keeps the language for a visitor without JavaScript: before a choice sets a cookie it is only in the
 * address of the previous page. Null where nothing has to be preserved.
 */
export function redirectToReferrerLanguage(request: FastifyRequest) {
  const { headers, url } = request
  if (!isRead(request) || request.cookies[languageStorageKey] !== undefined || !headers.referer) return null
  // Scripts send the language themselves.
  if ((headers['sec-fetch-dest'] ?? 'document') !== 'document' || !URL.canParse(headers.referer)) return null
  const from = new URL(headers.referer)
  const language = requestedLanguage(from.search)
  const isOurs = from.origin === requestOrigin(request) || from.host === request.headers.host
  if (!isOurs || language === null || language === defaultLanguage) return null
  if (new URLSearchParams(url.split('?', 2)[1]).has('lang') || !/^\/(?!\/|\\)/.test(url)) return null
  return addressInLanguage(url, language)
}

/** The address without punctuation copied at the end of its path; null where there is none. */
export function withoutTrailingSigns(request: FastifyRequest) {
  const { url } = request
  const [path = '', query] = url.split('?', 2)
  if (!isRead(request) || path.length > longestCopied) return null
  const trimmed = withoutTrailing(path)
  return trimmed === path ? null : ownAddress(query === undefined ? trimmed : `${trimmed}?${query}`)
}

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'

function withoutTrailing(text: string) {
  let trimmed = text.slice(0, longestCopied)
  for (let end = trailing.exec(trimmed); end; end = trailing.exec(trimmed)) trimmed = trimmed.slice(0, end.index)
  return trimmed
}

/** Normalizes to a path of this site, so that no browser can read a host into it. */
function ownAddress(url: string) {
  const { pathname, search } = new URL(`http://site/${url.replace(/^[/\\]+/, '')}`)
  return `/${pathname.replace(/^\/+/, '')}${search}`
}
