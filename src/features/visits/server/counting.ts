import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { isbot } from 'isbot'
import type { VisitCounter, VisitorAction } from '#src/features/content/server/visit-counter.ts'
import type { Language } from '#src/lib/language/language.ts'
import { defaultLanguage, isLanguage, languageStorageKey, requestedLanguage } from '#src/lib/language/language.ts'
import { cleanCampaign, domainOf } from '#src/lib/visit-source.ts'
import type { App } from '#src/server/types.ts'
import type { VisitField, VisitKind } from '../values.ts'
import { longestPath, otherKey } from '../values.ts'
import type { VisitTally } from './tally.ts'

/** Entries are read again after this time: a planned publication announces no change. */
const freshFor = 30_000
const mostAgents = 1_000

type Entries = (readonly [VisitKind, string])[]

/** Decides what counts as a visit of a person, and under which keys. */
export function createVisitCounter(app: App, tally: Pick<VisitTally, 'count'>): VisitCounter {
  const secrets = app.features.flatMap(({ secretPaths = [] }) => secretPaths)
  const readKnown = createKnownPaths(app)

  function countAction({ path, language, source, headers }: VisitorAction, field: VisitField) {
    const screen = screenOf(headers)
    if (screen === null) return
    const { referrer, campaign } = keysOf(source?.referrer ?? '', source)
    const count = (page: string) => {
      const entries: Entries = [
        ['page', page],
        ['referrer', referrer],
        ['campaign', campaign],
        ['language', language],
        ['screen', screen],
      ]
      tally.count(entries, { [field]: 1 })
    }
    void readKnown().then((known) => count(known.get(path.toLowerCase()) ?? otherKey))
  }

  return {
    countView(request, status) {
      const path = viewedPath(request, status)
      if (path === null || secrets.some((one) => path.startsWith(one))) return
      const { headers, url } = request
      const screen = screenOf(headers)
      if (screen === null) return
      const search = url.includes('?') ? url.slice(url.indexOf('?')) : ''
      const entries: Entries = [
        ['page', path],
        ['language', languageOf(request, search)],
        ['screen', screen],
      ]
      if (isFromOwnPage(request)) return tally.count(entries, { views: 1 })
      const query = search.includes('utm_') ? new URLSearchParams(search) : null
      const valueOf = (name: string) => cleanCampaign(query?.get(name) ?? '')
      const campaign = { utm_source: valueOf('utm_source'), utm_medium: valueOf('utm_medium') }
      const keys = keysOf(domainOf(headers.referer), { ...campaign, utm_campaign: valueOf('utm_campaign') })
      tally.count([...entries, ['referrer', keys.referrer], ['campaign', keys.campaign]], { views: 1, visits: 1 })
    },
    async countNavigation({ path, language, headers }) {
      const screen = screenOf(headers)
      const page = screen === null ? undefined : (await readKnown()).get(path.toLowerCase())
      if (screen === null || page === undefined) return
      const entries: Entries = [
        ['page', page],
        ['language', language],
        ['screen', screen],
      ]
      tally.count(entries, { views: 1 })
    },
    countBegun: (action) => countAction(action, action.kind === 'form' ? 'forms_begun' : 'chats_begun'),
    countSent: (action) => countAction(action, action.kind === 'form' ? 'forms' : 'chats'),
  }
}

/** Public pages that exist, by their path in lower case; without the entries, the pages of the product. */
function createKnownPaths(app: App) {
  const fixed = app.features.flatMap(({ publicPaths = [] }) => publicPaths)
  let known: { at: number; paths: Promise<ReadonlyMap<string, string>> } | null = null
  app.events.onChanged(() => {
    known = null
  })
  return () => {
    if (known && performance.now() - known.at < freshFor) return known.paths
    const entries = app.findEntryAddresses().catch((error: unknown) => {
      app.log.warn({ err: error }, 'visits of entries are counted as other: their addresses cannot be read')
      if (known === current) known = null
      return []
    })
    const paths = entries.then((all) => {
      const published = all.filter(({ isPublished }) => isPublished).map(({ path }) => path)
      return new Map([...fixed, ...published].map((path) => [path.toLowerCase(), path]))
    })
    const current = { at: performance.now(), paths }
    known = current
    return paths
  }
}

/** A campaign by mail has no referring page: its own name of the source stands there. */
function keysOf(
  referrer: string,
  campaign: { utm_source: string; utm_medium: string; utm_campaign: string } | null,
): { referrer: string; campaign: string } {
  const { utm_source: source = '', utm_medium: medium = '', utm_campaign: name = '' } = campaign ?? {}
  return { referrer: referrer || (source && medium ? `${source} (${medium})` : source), campaign: name }
}

/** Path of a page that a browser asked for and got; null for all else. */
function viewedPath({ method, headers, params, is404 }: FastifyRequest, status: number) {
  if (method !== 'GET' || is404 || (status !== 200 && status !== 304)) return null
  // A page that is fetched ahead may never be seen; a frame is part of a page.
  const isAhead = headers['sec-purpose'] ?? headers['purpose'] ?? headers['x-moz']
  if (isAhead !== undefined && String(isAhead).includes('prefetch')) return null
  if ((headers['sec-fetch-dest'] ?? 'document') !== 'document') return null
  const raw = (params as { '*'?: string })['*']
  if (raw === undefined || raw.length > longestPath || raw.endsWith('.data')) return null
  const path = `/${raw.replaceAll(/^\/+|\/+$/g, '')}`
  return /^\/(?:admin|login)(?:\/|$)/i.test(path) ? null : path
}

function isFromOwnPage({ headers, server, host }: FastifyRequest) {
  const { referer } = headers
  if (referer === undefined) return headers['sec-fetch-site'] === 'same-origin'
  if (!URL.canParse(referer)) return false
  const from = new URL(referer)
  return from.host === host || from.origin === server.config.publicUrl
}

function languageOf({ cookies }: FastifyRequest, search: string): Language {
  const stored = cookies[languageStorageKey]
  return requestedLanguage(search) ?? (isLanguage(stored) ? stored : defaultLanguage)
}

const agents = new Map<string, boolean>()

/** Null where nothing may be counted: a robot, or a browser that refuses it by Global Privacy Control. */
function screenOf(headers: IncomingHttpHeaders): 'small' | 'large' | null {
  const agent = headers['user-agent']
  if (!agent || headers['sec-gpc'] === '1') return null
  let isRobot = agents.get(agent)
  if (isRobot === undefined) {
    isRobot = isbot(agent)
    if (agents.size >= mostAgents) agents.clear()
    agents.set(agent, isRobot)
  }
  if (isRobot) return null
  const hint = headers['sec-ch-ua-mobile']
  return hint === '?1' || (hint === undefined && /\bMobi/.test(agent)) ? 'small' : 'large'
}
