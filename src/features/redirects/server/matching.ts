import { addressInLanguage, isLanguage } from '#src/lib/language/language.ts'
import type { Pattern, RedirectStatus } from '../values.ts'
import { decodePath, withoutEndSlash } from '../values.ts'

export type Rule = { id: number; from: string; pattern: Pattern; to: string | null; status: RedirectStatus }
/** A requested address: the decoded path, and the query as it was sent. */
export type Requested = { path: string; query: string }
export type Step = { rule: Rule; location: string | null }
/** Where an address leads: an address of this site or another one; null where it is gone. */
export type Route = { status: RedirectStatus; location: string | null; steps: Step[] }

const mostSteps = 10

/** Redirects in memory: an address is looked up in the time that its length takes, however many there are. */
export function createTable(rules: readonly Rule[]) {
  const exact = new Map<string, Rule[]>()
  const prefixes = new Map<string, Rule>()
  let longest = 0
  rules.forEach(add)

  function add(rule: Rule) {
    const { path, isPrefix, query } = rule.pattern
    if (isPrefix) {
      prefixes.set(path, rule)
      longest = Math.max(longest, path.length)
      return
    }
    // The one that names most parameters matches first.
    const same = exact.get(path) ?? []
    const at = same.findIndex((one) => one.pattern.query.length < query.length)
    same.splice(at === -1 ? same.length : at, 0, rule)
    exact.set(path, same)
  }

  function drop({ id, pattern: { path, isPrefix } }: Rule) {
    if (isPrefix) return void prefixes.delete(path)
    const left = (exact.get(path) ?? []).filter((one) => one.id !== id)
    // A list of a million addresses is tried against the same table.
    if (left.length > 0) exact.set(path, left)
    else exact.delete(path)
  }

  function match({ path, query }: Requested): Rule | null {
    const parameters = new URLSearchParams(query)
    const found = exact
      .get(withoutEndSlash(path))
      ?.find(({ pattern }) => pattern.query.every(([name, value]) => parameters.getAll(name).includes(value)))
    if (found) return found
    for (let length = Math.min(longest, path.length); length > 0; length -= 1) {
      const rule = prefixes.get(path.slice(0, length))
      if (rule) return rule
    }
    return null
  }

  return {
    match,
    add,
    drop,
    /**
     * Follows an address to its end; null where no redirect matches it or one leads to itself. `isAnswered`: the product has
     * that path, so what leads there ends there.
     */
    async follow(requested: Requested, isAnswered: (path: string) => Promise<boolean> | boolean): Promise<Route | null> {
      const steps: Step[] = []
      let current = requested
      for (let rule = match(requested); rule; rule = match(current)) {
        if (steps.length > 0 && (await isAnswered(withoutEndSlash(current.path)))) break
        if (steps.length === mostSteps) return null
        const location = rule.to === null ? null : locationOf(rule, rule.to, current)
        steps.push({ rule, location })
        const next = location?.startsWith('/') ? splitAddress(location) : null
        if (!next) break
        // The product answers the language in a path by a redirect, which may lead back to where this one began.
        current = match(next) ? next : withLanguageInQuery(next)
      }
      const last = steps.at(-1)
      if (!last) return null
      // A chain is as permanent as its most passing step.
      const isPassing = steps.some(({ rule: { status } }) => status === 302)
      const status = last.location === null ? 410 : isPassing ? 302 : 301
      return { status, location: last.location, steps }
    },
  }
}

export type RedirectTable = ReturnType<typeof createTable>

/** `/en/x` is `/x` in a language. */
export const withoutLanguage = (path: string) => path.replace(/^\/(?:fr|en)(?=\/|$)/i, '') || '/'

function withLanguageInQuery({ path, query }: Requested): Requested {
  const language = /^\/(fr|en)(?=\/|$)/i.exec(path)?.[1]?.toLowerCase()
  if (!language) return { path, query }
  const parameters = new URLSearchParams(query)
  parameters.set('lang', language)
  return { path: withoutLanguage(path), query: String(parameters) }
}

/** Splits an address as it was sent; null where its path is none that a site has. */
export function splitAddress(address: string): Requested | null {
  const [withoutHash = ''] = address.split('#', 1)
  const at = withoutHash.indexOf('?')
  const path = decodePath((at === -1 ? withoutHash : withoutHash.slice(0, at)).replace(/^\/+/, '/'))
  return path?.startsWith('/') ? { path, query: at === -1 ? '' : withoutHash.slice(at + 1) } : null
}

/** The target of a redirect for one request: what its `*` stands for, the other parameters and the language are kept. */
function locationOf({ pattern }: Rule, to: string, { path, query }: Requested) {
  const rest = pattern.isPrefix ? path.slice(pattern.path.length).replace(/^\/+/, '') : ''
  const end = to.endsWith('*') ? encodePath(rest) : ''
  const [, address = '', ownQuery = '', hash = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(to.replace(/\*$/, '')) ?? []
  const named = new Set([...pattern.query.map(([name]) => name), ...new URLSearchParams(ownQuery).keys()])
  const passed = query.split('&').filter((part) => part !== '' && !named.has([...new URLSearchParams(part).keys()][0] ?? ''))
  const parameters = [...(ownQuery ? [ownQuery] : []), ...passed].join('&')
  const isOurs = address.startsWith('/')
  const base = new URL(address + end, 'http://site')
  const target = isOurs ? `/${base.pathname.replace(/^\/+/, '')}` : base.origin + base.pathname
  const location = `${target}${parameters ? `?${escapeQuery(parameters)}` : ''}${new URL(`http://site/${hash}`).hash}`
  const language = /^\/(fr|en)(?=\/|$)/i.exec(path)?.[1]?.toLowerCase()
  const hasLanguage = new URLSearchParams(parameters).has('lang') || !isLanguage(language) || !isOurs
  return hasLanguage ? location : addressInLanguage(location, language)
}

/** A header holds ASCII without line breaks only. */
const escapeQuery = (query: string) => new URL(`http://site/?${query}`).search.slice(1)

const encodePath = (path: string) => encodeURI(path).replaceAll(/[?#]/g, (sign) => encodeURIComponent(sign))
