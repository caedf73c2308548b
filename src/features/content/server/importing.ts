import type { z } from 'zod'
import type { Label } from '#src/lib/feature.ts'
import type { Language } from '#src/lib/language/language.ts'
import type { Area } from '#src/lib/rights.ts'
import type { Config } from '#src/server/config.ts'
import type { Database } from '#src/server/database/database.ts'
import { Invalid, Problem } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import { cleanRichText } from './rich-text.ts'

/** The beginning of a text, without half of a character at its end: no database stores that. */
export const cut = (text: string, most: number) => text.slice(0, most).toWellFormed()

/** Why an entry of an import is not taken, in words for the person who imports. */
export class Refused extends Error {
  readonly reason: Label

  constructor(reason: Label, options?: ErrorOptions) {
    super(reason.en, options)
    this.reason = { fr: reason.fr.toWellFormed(), en: reason.en.toWellFormed() }
  }
}

/** A source that cannot be read as a whole. */
export class UnusableSource extends Problem {
  readonly reason: Label

  constructor(reason: Label, { cause }: { cause?: unknown } = {}) {
    super(422, 'Unusable file', reason.en, { extra: { reason } })
    this.reason = reason
    if (cause !== undefined) this.cause = cause
  }
}

/** A column of a table that can be imported, found by its label in either language or by one of its other names. */
export type ImportColumn = { name: string; label: Label; others?: readonly string[]; isRequired?: true }

export type ImportContext = { db: Database; config: Config; userId: number | null }

/**
 * How imported entries of one kind are stored. Nothing here records an audit event, sends a mail, notifies anybody or starts a
 * goal: the import is one event, and what it brings is a draft, paused or locked.
 */
export type ImportWriter = {
  area: Area
  /** What the entries are, in the plural. */
  label: Label
  /** Throws `Refused` for values that cannot be stored, or what was loaded instead of them; runs outside of any transaction. */
  check: (values: unknown, context: ImportContext) => Promise<unknown>
  /**
   * Why each of the new values cannot be stored beside what is here; null for those that can. `trial` is the same object for
   * all batches of a trial, which stores nothing, and null in an import.
   */
  findTaken?: (db: Database, values: unknown[], trial: object | null) => Promise<(Label | null)[]>
  /** Stores checked values and returns the id of each; throws `Refused` where one cannot be. */
  create: (tx: Database, values: unknown[], context: ImportContext) => Promise<number[]>
  /** Stores the newer values of an entry that was not edited since; without it, entries changed at their source are refused. */
  update?: (tx: Database, id: number, values: unknown, context: ImportContext) => Promise<void>
  remove: (tx: Database, ids: number[]) => Promise<void>
  /** A mark of each stored entry that changes when somebody edits it; an entry that was deleted has none. */
  findMarks: (tx: Database, ids: number[]) => Promise<Map<number, string>>
  /** Where visitors read stored entries, in each language, for the old addresses that lead there. */
  findPages?: (db: Database, ids: number[]) => Promise<Map<number, Record<Language, string>>>
  /** What each stored entry is called, for the list of what an undo left. */
  findNames: (db: Database, ids: number[]) => Promise<Map<number, string>>
  /** Its page in the administration; `:id` stands for its number. */
  path?: string
  /** What each instance has in memory of these entries, by the name of its event. */
  outdates?: string
}

/** Names a part of an entry that is not taken, such as a picture; the rest of the entry is. */
export type RefusePart = (name: string, reason: Label) => void

/** One entry as its source has it. */
export type SourceEntry = {
  /** Where it is in the source, such as a line number. */
  at: string
  /** Its id in the source. */
  id: string
  name: string
  /** The writer that stores it, where the kind has several. */
  writer?: string
  values: unknown
  /** Its fields, for the comparison before the import. */
  shown?: readonly ShownField[]
  refused?: Label
  /** Reads the rest, too large to hold for all entries of a batch, for the `check` of the writer; throws `Refused`. */
  load?: (refuse: RefusePart) => Promise<unknown>
  /** Its bytes, where it is loaded. */
  size?: number
  /** The entry of the same source whose page here becomes the `to` of the values. */
  leadsTo?: { id: string; language: Language }
}
export type ShownField = { label: string; text: string }
/** Parts of a source that are never imported, such as revisions, which are only counted. */
export type LeftOut = { leftOut: string; count?: number }

/** The file or folder that an import reads. */
export type ImportSource = {
  path: string
  charset: string
  /** The choices of the person who imports, such as where each category goes. */
  map: Record<string, string>
  /** Nothing may be stored. */
  isTrial: boolean
  /** Scratch folder, removed after the import. */
  workFolder: string
  context: ImportContext
  /** What is closed once the last entry was taken, which is after all were read. */
  closers: (() => Promise<void>)[]
}

export type ImportChoices = {
  choices: { name: string; label: Label; count: number }[]
  options: { value: string; label: Label }[]
  map: Record<string, string>
}

/** A kind of import that a feature declares at its server edge. */
export type Importer = {
  kind: string
  label: Label
  /** Which files it takes. */
  hint: Label
  /** Endings of the files, for the file picker. */
  accept: string
  /** Areas that it writes in: an import needs each of them as `administrator`. */
  areas: readonly Area[]
  writers: Record<string, ImportWriter>
} & (
  | {
      /** A table (CSV or JSON Lines): columns, and the values that a row gives; throws `Refused`. */
      columns: readonly ImportColumn[]
      toValues: (row: Record<string, string>) => unknown
      /** What identifies a row whose table has no column of ids; by default the whole row. */
      identify?: (row: Record<string, string>) => string
      nameOf: (row: Record<string, string>) => string
      /** Another format of the same kind; null where the file is a table after all. */
      readOther?: (source: ImportSource) => Promise<AsyncIterable<SourceEntry | LeftOut> | null>
    }
  | {
      /** It reads folders of the server, and `imap:FOLDER` of its mailbox, for the command. */
      takesFolders?: true
      /** The server's mailbox, whose folders the administration offers. */
      mailbox?: {
        isSet: (config: Config) => boolean
        /** Throws `UnusableSource` where it cannot be read. */
        findFolders: (config: Config) => Promise<{ name: string; count: number }[]>
      }
      /** Its pages become what the page writers of the features store, by the choices in the map. */
      usesPages?: true
      /** The address of the site or system that a file came from, where nobody named it. */
      findSource?: (file: Pick<ImportSource, 'path' | 'charset'>) => Promise<string | null>
      /** What can be chosen before the import, and the choices as they are. */
      findChoices?: (source: ImportSource) => Promise<ImportChoices>
      /** Reads its entries in a stable order, without holding the file in memory; the positions let an import go on. */
      read: (source: ImportSource) => AsyncIterable<SourceEntry | LeftOut>
    }
  | {
      /** Comes as a whole or not at all, and needs the right to every area. */
      whole: WholeSource
    }
)

/** `isOnServer`: who imports could write the files of the server anyway. */
export type WholeReport = {
  isOnServer: boolean
  onProgress: (done: number, total: number | null) => void
  signal: AbortSignal
}
export type WholeCounts = { created: Record<string, number>; leftOut: Record<string, number>; known: number }
export type WholeSource = {
  /** Its figures by kind; writes nothing. Throws `UnusableSource`. */
  check: (app: App, path: string, report: WholeReport) => Promise<WholeCounts & { kinds: { name: string; rows: number }[] }>
  /** Stores everything in one transaction, which ends with `finish`. */
  take: (
    app: App,
    path: string,
    report: WholeReport & { importId: number },
    finish: (tx: Database, counts: WholeCounts) => Promise<void>,
  ) => Promise<void>
  /** Removes in one transaction, which ends with `finish`, what it stored and nobody edited since. */
  undo: (
    app: App,
    importId: number,
    finish: (tx: Database, figures: { removed: number; left: number }) => Promise<void>,
  ) => Promise<void>
  /** False for an import of an earlier version, of which nothing is remembered. */
  canUndo: (db: Database, importId: number) => Promise<boolean>
  /** What an undo left. */
  findLeft: (db: Database, importId: number, most: number) => Promise<LeftEntry[]>
}

/** `reason`: why no undo takes it away; without one somebody edited it since. */
export type LeftEntry = { area: string; name: string; label: Label | null; path: string | null; reason: Label | null }

/** The name of the choice that holds more addresses of the staff. */
export const staffChoice = '(staff)'

/** A page or post of another site, in one language or both. */
export type WebPage = {
  title: string
  title_en: string
  html: string
  html_en: string
  category: string
  /** ISO 8601. */
  date: string | null
  /** Names and sizes of its pictures that are taken. */
  pictures?: string[]
}

const messages: [RegExp, (found: RegExpExecArray) => Label][] = [
  [
    /^too long: (\d+) of (\d+)$/,
    ([, length, most]) => ({ fr: `${length} caractères, ${most} au maximum`, en: `${length} characters, ${most} at most` }),
  ],
  [/^required$/, () => ({ fr: 'obligatoire', en: 'required' })],
  [/^invalid e-mail address$/, () => ({ fr: 'adresse de courriel non valide', en: 'invalid email address' })],
]

/** Values by a schema of the feature; throws `Refused` with the first field that is wrong. */
export function checkBy<Output>(schema: z.ZodType<Output>, values: unknown, columns: readonly ImportColumn[] = []): Output {
  const parsed = schema.safeParse(values)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const field = String(issue?.path[0] ?? '')
  const label = columns.find(({ name }) => name === field)?.label ?? { fr: field, en: field }
  for (const [pattern, toLabel] of messages) {
    const found = pattern.exec(issue?.message ?? '')
    if (!found) continue
    const { fr, en } = toLabel(found)
    throw new Refused({ fr: `${label.fr} : ${fr}.`, en: `${label.en}: ${en}.` })
  }
  throw new Refused({ fr: `${label.fr} : valeur non valide.`, en: `${label.en}: invalid value.` })
}

/** The rich text of a page of another site, with pictures only where they are stored here; throws `Refused` where it is too long. */
export function cleanPage(html: string, { pictures = false } = {}) {
  try {
    return cleanRichText(html, '', { pictures })
  } catch (error) {
    if (error instanceof Invalid) throw new Refused({ fr: 'Son texte est trop long.', en: 'Its text is too long.' })
    throw error
  }
}
