import type { Language } from './language/language.ts'
import type { Area, GivenLevel } from './rights.ts'

/** An interface text in every language; a missing one does not compile. */
export type Label = Record<Language, string>

/** Groups of the menu, in its order. */
export const menuGroups = ['customers', 'website', 'telephony', 'system'] as const
export type MenuGroup = (typeof menuGroups)[number]

export type AdminPage = {
  path: string
  label: Label
  group: MenuGroup
  area: Area
  /** Another area whose readers find something on the page too. */
  or?: Area
  /** Level required to open it; defaults to `read_only`. */
  level?: GivenLevel
  /** On the panel: the label of its button, where it differs, and a line that says what it opens. */
  panel: { label?: Label; opens: Label }
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
  /** Its fields of rich text, whose words alone the audit log shows. */
  richText?: readonly string[]
  /** The call that lists them to who may edit them; the screenshots open the first. */
  list?: string
  /** Edited content: a deletion can be undone, and its English is reviewed. The server's half declares it by `defineContent`. */
  isContent?: true
}

/**
 * What a feature is to the rest of the product, declared once. From the list of all of them (`src/app/features.ts`) come the
 * areas of the rights matrix, menu and panel, live areas, the names, links and undo of the audit log, the English to review,
 * the site map and the screenshots.
 */
export type Feature = {
  /** Areas of rights, with the name of each in the rights matrix and the audit log. */
  areas?: Partial<Record<Area, Label>>
  /** Names under which it records changes, where they are no area of rights. */
  auditAreas?: Record<string, Label>
  admin?: readonly AdminPage[]
  entries?: readonly EntryKind[]
  /** Areas whose changes open pages are notified of. */
  liveAreas?: readonly Area[]
  /** Its public pages whose address does not depend on the database. */
  publicPaths?: readonly string[]
  /** Names of its own operations and fields in the audit log. */
  audit?: { actions?: Record<string, Label>; fields?: Record<string, Label> }
}

export const defineFeature = <const F extends Feature>(feature: F) => feature

/** The areas of rights of all features, in their order. */
export const areasOf = (features: readonly Feature[]) => features.flatMap(({ areas = {} }) => Object.keys(areas) as Area[])

/** The name of an area of rights or of the audit log; the area itself where no feature declares it any more. */
export function areaLabel(features: readonly Feature[], area: string): Label {
  for (const { areas, auditAreas } of features) {
    const label = (areas as Record<string, Label> | undefined)?.[area] ?? auditAreas?.[area]
    if (label) return label
  }
  return { fr: area, en: area }
}

/** The kind an entry of the audit log belongs to: `kind/3`, `kind` where there is one only, or `3` of the area's plain kind. */
export function findEntryKind(features: readonly Feature[], area: string, entryId: string) {
  const kind = /^\d+$/.test(entryId) ? undefined : entryId.split('/')[0]
  return features.flatMap(({ entries = [] }) => entries).find((one) => one.area === area && one.kind === kind)
}

/** Where an entry is seen or edited; null where there is no such page. */
export function pathOfEntry(kind: EntryKind | undefined, id: number | string) {
  if (!kind?.path) return null
  return kind.path.replace(':id', String(id))
}
