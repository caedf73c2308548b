import type { Language } from './language/language.ts'
import type { Area, GivenLevel, Rights } from './rights.ts'
import { hasRight } from './rights.ts'

/** An interface text in every language; a missing one does not compile. */
export type Label = Record<Language, string>

/** Groups of the menu, in its order. */
export const menuGroups = ['customers', 'website', 'system'] as const
export type MenuGroup = (typeof menuGroups)[number]

/** Kinds of work that an access group is usually for. */
export const groupPresets = ['technician', 'writer', 'supervisor'] as const
export type GroupPreset = (typeof groupPresets)[number]

export type AdminPage = {
  path: string
  label: Label
  group: MenuGroup
  area: Area
  /** Another area whose readers may open the page too. */
  or?: Area
  /** Level required to open it; defaults to `read_only`. */
  level?: GivenLevel
  /** Label of its menu entry, where other pages stand under it. */
  menuLabel?: Label
  /** Path of the page under whose menu entry it stands; the page itself has a tab for each. */
  under?: string
  /** What it opens; on the landing screen it may have a button, whose label may differ. */
  panel: { label?: Label; opens: Label; isMain?: true }
}

/** Something to do, for the command palette; it opens a page where it is done. */
export type AdminAction = {
  path: string
  label: Label
  /** Other words for it, by which it is found too. */
  words?: Label
  area: Area
  /** Level required to do it; defaults to `read_write`. */
  level?: GivenLevel
  /** Offered before anything is typed. */
  isUsual?: true
}

export type EntryKind = {
  /** Area under which the audit log records it. */
  area: string
  /** Distinguishes several kinds in one area: the audit log names their entries `kind/id`. */
  kind?: string
  /** Label of an entry without a name; `{id}` is its number. */
  label: Label
  /** Its page in the administration; `:id` stands for its number. */
  path?: string
  /** Right that the page requires; by default its area, `read_write` for edited content and `read_only` for the rest. */
  needs?: { area: Area; level: GivenLevel }
  /** Rich text fields, which the audit log shows as plain text. */
  richText?: readonly string[]
  /** API path that lists the entries for editors; the screenshots open the first one. */
  list?: string
  /** Edited content: deletions can be undone and the English is reviewed. The server declares it by `defineContent`. */
  isContent?: true
}

/**
 * Declaration of a feature for the rest of the product. The list of all features (`src/app/features.ts`) determines the rights
 * matrix, menu and panel, live areas, labels, links and undo of the audit log, translations, sitemap and screenshots.
 */
export type Feature = {
  /** Areas of rights, with the name of each in the rights matrix and the audit log. */
  areas?: Partial<Record<Area, Label>>
  /** What each kind of work needs of them; the editor of groups offers it, and nobody gets it unasked. */
  presets?: Partial<Record<GroupPreset, Partial<Record<Area, GivenLevel>>>>
  /** Areas of its audit events that are no areas of rights. */
  auditAreas?: Record<string, Label>
  admin?: readonly AdminPage[]
  actions?: readonly AdminAction[]
  entries?: readonly EntryKind[]
  /** Areas whose changes open pages are notified of. */
  liveAreas?: readonly Area[]
  /** Public pages at fixed addresses. */
  publicPaths?: readonly string[]
  /** Those of them whose text is in French only. */
  frenchPaths?: readonly string[]
  /** Beginnings of addresses that go on with a secret: never cached, logged without the rest. */
  secretPaths?: readonly string[]
  /** Names of its own operations, fields and values in the audit log. */
  audit?: {
    actions?: Record<string, Label>
    fields?: Record<string, Label>
    /** Words for the values of a field that are codes. */
    values?: Record<string, Record<string, Label>>
  }
}

export const defineFeature = <const F extends Feature>(feature: F) => feature

/** The texts of a catalogue as labels, by key. */
export const labelsOf = ({ fr, en }: Record<Language, Record<string, string>>): Record<string, Label> =>
  Object.fromEntries(Object.keys(fr).map((key) => [key, { fr: fr[key] ?? key, en: en[key] ?? key }]))

/** The areas of rights of all features, in their order. */
export const areasOf = (features: readonly Feature[]) => features.flatMap(({ areas = {} }) => Object.keys(areas) as Area[])

/** The rights that a kind of work usually needs. */
export const rightsOfPreset = (features: readonly Feature[], preset: GroupPreset): Rights =>
  Object.assign({}, ...features.map(({ presets }) => presets?.[preset]))

/** Label of an area of rights or of the audit log; the area itself where no feature declares it any more. */
export function areaLabel(features: readonly Feature[], area: string): Label {
  for (const { areas, auditAreas } of features) {
    const label = (areas as Record<string, Label> | undefined)?.[area] ?? auditAreas?.[area]
    if (label) return label
  }
  return { fr: area, en: area }
}

/** What is at an address of the administration, in words; null where no feature declares it. */
export function labelOfPath(features: readonly Feature[], address: string): Label | null {
  const path = address.split(/[?#]/)[0] ?? ''
  const pages = features.flatMap(({ admin = [], actions = [] }) => [...admin, ...actions])
  const page = pages.find((one) => one.path === path)
  if (page) return page.label
  for (const { path: pattern = '', label } of features.flatMap(({ entries = [] }) => entries)) {
    const [start = '', end = ''] = pattern.split(':id')
    const id = path.startsWith(start) && path.endsWith(end) ? path.slice(start.length, path.length - end.length) : ''
    if (pattern.includes(':id') && /^\d+$/.test(id)) {
      return { fr: label.fr.replace('{id}', id), en: label.en.replace('{id}', id) }
    }
  }
  return null
}

/** Kind of an audit log entry: `kind/3`, `kind` for a single entry, or `3` for the area's default kind. */
export function findEntryKind(features: readonly Feature[], area: string, entryId: string) {
  const kind = /^\d+$/.test(entryId) ? undefined : entryId.split('/')[0]
  return features.flatMap(({ entries = [] }) => entries).find((one) => one.area === area && one.kind === kind)
}

/** Address where an entry is viewed or edited; null where there is none, or where a user with these rights may not open it. */
export function pathOfEntry(kind: EntryKind | undefined, id: number | string, rights: Rights) {
  if (!kind?.path) return null
  const { area, level } = needsOf(kind)
  return hasRight(rights, area, level) ? kind.path.replace(':id', String(id)) : null
}

/** The right that the page of an entry requires. */
export const needsOf = ({ area, needs, isContent }: EntryKind) =>
  needs ?? { area: area as Area, level: isContent ? ('read_write' as const) : ('read_only' as const) }
