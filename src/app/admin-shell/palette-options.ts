import type { PaletteResult } from '#src/features/content/palette/contract.ts'
import type { Label } from '#src/lib/feature.ts'
import { pathOfEntry } from '#src/lib/feature.ts'
import { filterRows, searchable } from '#src/lib/lists.ts'
import type { Rights } from '#src/lib/rights.ts'
import { hasRight } from '#src/lib/rights.ts'
import { features } from '../features.ts'
import { menuFor } from './admin-menu.ts'
import { counterPath } from './admin-rail.tsx'
import { adminTexts } from './admin-texts.ts'

export const groups = ['recent', 'act', 'go', 'people', 'work', 'networks', 'texts'] as const
export type Option = {
  group: (typeof groups)[number]
  label: Label
  hint: Label
  path: string
  page: string
  words?: Label
  isLocked?: boolean
}

const firstActions = 3
/** Of actions and pages that match. */
const mostLocal = 8
export const keyOf = ({ group, path, label }: Option) => `${group} ${path} ${label.fr}`

/** Until the server answers, what it found for another text counts only where it matches this one: Enter opens the first. */
export const stillFound = (results: readonly PaletteResult[], q: string) => (q === '' ? [] : filterRows(results, q, textOf))

/** What matches here at once, with what the server found, group by group; without a text, the last places. */
export function optionsOf(rights: Rights, text: string, results: readonly PaletteResult[], recent: readonly string[]): Option[] {
  const open = menuFor(rights).flatMap(({ pages: own }) => own)
  const actions = features
    .flatMap(({ actions: own = [] }) => own)
    .flatMap(({ path, label, words = empty, isUsual = false, area, level = 'read_write' }) => {
      const action = { group: 'act' as const, label, hint: empty, path, page: path, words, isUsual, isLocked: false }
      if (hasRight(rights, area, level)) return [action]
      // Who may only see it is led to where it stands.
      const own = open.filter((page) => page.area === area || page.or === area)
      const around = own
        .filter((page) => path.startsWith(page.path))
        .toSorted((one, other) => other.path.length - one.path.length)
      const shown = hasRight(rights, area, 'read_only') && [...around, ...own][0]
      return shown ? [{ ...action, path: shown.path, isUsual: false, isLocked: true }] : []
    })
  const pages = [
    { path: counterPath, label: labelOf('counter'), hint: labelOf('panelTitle') },
    ...open.map(({ path, label, panel }) => ({ path, label, hint: panel.opens })),
    { path: '/admin/profile', label: labelOf('profile'), hint: profileHint },
    { path: '/', label: labelOf('publicSite'), hint: empty },
  ].map((page) => ({ ...page, group: 'go' as const, page: page.path }))
  if (text.trim() === '') {
    const places = recent.flatMap((path): Option[] => {
      const page = pages.find((one) => one.path === path)
      if (page) return [{ ...page, group: 'recent' }]
      const kind = features.flatMap(({ entries = [] }) => entries).find((one) => one.path && matchOf(one.path, path))
      const entryId = kind?.path && matchOf(kind.path, path)
      if (!kind || !entryId || pathOfEntry(kind, entryId, rights) === null) return []
      const label = { fr: kind.label.fr.replace('{id}', entryId), en: kind.label.en.replace('{id}', entryId) }
      const [around] = pages
        .filter((one) => one.path !== '/' && kind.path?.startsWith(one.path.replace(/s$/, '')))
        .toSorted((one, other) => other.path.length - one.path.length)
      return [{ group: 'recent', label, hint: around?.label ?? empty, path, page: around?.path ?? path }]
    })
    return [...places, ...actions.filter(({ isUsual }) => isUsual).slice(0, firstActions)]
  }
  // Every row would match a text without a word, such as an apostrophe.
  if (searchable(text).trim() === '') return []
  const local = filterRows([...actions, ...pages], text, textOf)
  // Those named so before those that only have to do with it.
  const named = new Set(filterRows(local, text, ({ label }) => `${label.fr} ${label.en}`))
  const ranked = [...named, ...local.filter((option) => !named.has(option))]
  // What one may do comes before what one may only see.
  const isLocked = (one: Partial<Option>) => one.isLocked === true
  const sorted = [...ranked.filter((one) => !isLocked(one)), ...ranked.filter(isLocked)]
  const own = (group: 'act' | 'go') => sorted.filter((one) => one.group === group).slice(0, mostLocal)
  const all: Option[] = [...own('act'), ...results, ...own('go')]
  const seen = new Set<string>()
  return groups.flatMap((group) =>
    all.filter((option) => {
      const isNew = option.group === group && !seen.has(keyOf(option))
      if (isNew) seen.add(keyOf(option))
      return isNew
    }),
  )
}

const empty: Label = { fr: '', en: '' }
const textOf = ({ label, hint, words = empty }: Pick<Option, 'label' | 'hint' | 'words'>) =>
  [label, hint, words].map(({ fr, en }) => `${fr} ${en}`).join(' ')
const profileHint: Label = { fr: 'Mot de passe, A2F, sessions, notifications', en: 'Password, 2FA, sessions, notifications' }
const labelOf = (key: keyof (typeof adminTexts)['fr']): Label => ({ fr: adminTexts.fr[key], en: adminTexts.en[key] })

/** The number of an entry in a path of its kind. */
function matchOf(pattern: string, path: string) {
  const [before = '', after = ''] = pattern.split(':id')
  const isOne = pattern.includes(':id') && path.startsWith(before) && path.endsWith(after)
  const middle = isOne ? path.slice(before.length, path.length - after.length) : ''
  return /^\d+$/.test(middle) ? middle : undefined
}
