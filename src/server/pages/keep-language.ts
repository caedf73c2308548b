import type { FastifyRequest } from 'fastify'
import { defaultLanguage, isLanguage, languageStorageKey } from '#src/lib/language.ts'
import { requestOrigin } from '../http/xsrf.ts'

/**
 * Where a visitor without JavaScript should be sent to keep the language of the page they come from: it is in that
 * page's address alone, no cookie is set before a choice. Null where there is nothing to keep.
 */
export function keepLanguage(request: FastifyRequest) {
  const { method, headers, url } = request
  if (method !== 'GET' || request.cookies[languageStorageKey] !== undefined || !headers.referer) return null
  // A script asks for data, not for pages, and keeps the language itself.
  if ((headers['sec-fetch-dest'] ?? 'document') !== 'document' || !URL.canParse(headers.referer)) return null
  const from = new URL(headers.referer)
  const asked = from.searchParams.get('lang')
  const isOurs = from.origin === requestOrigin(request) || from.host === request.host
  if (!isOurs || !isLanguage(asked) || asked === defaultLanguage) return null
  const [path = '', query = ''] = url.split('?', 2)
  const parameters = new URLSearchParams(query)
  if (parameters.has('lang') || !/^\/(?!\/|\\)/.test(path)) return null
  parameters.set('lang', asked)
  return `${path}?${parameters.toString()}`
}
