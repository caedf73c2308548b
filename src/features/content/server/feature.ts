import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { Feature, Label } from '#src/lib/feature.ts'
import type { Language } from '#src/lib/language/language.ts'
import type { Area, Rights } from '#src/lib/rights.ts'
import type { Reader } from '#src/server/cache/content-cache.ts'
import type { Database } from '#src/server/database/database.ts'
import type { AnswerMissing, PageServices } from '#src/server/pages/pages.ts'
import type { ImpersonalColumns, PersonalColumns, PersonalDataKind, TableEnd } from '#src/server/personal-data.ts'
import type { UploadPurpose } from '#src/server/uploads/uploads.ts'
import type { SearchSource } from '#src/server/search/search.ts'
import type { App, Routes } from '#src/server/types.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import type { SetupStep } from '../counter/contract.ts'
import type { PaletteResult } from '../palette/contract.ts'
import type { SharePictures } from './share-picture.ts'
import type { StoredSettings } from '../versions/server/routes.ts'
import type { AnyContent, ContentContext } from './content.ts'
import type { Importer, ImportWriter } from './importing.ts'
import type { VisitCounter } from './visit-counter.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** When the rows of each table end. */
    tableEnds: readonly TableEnd[]
    /** Every table that may show stored pictures. */
    pictureTables: readonly PgTable[]
    /** Every column that names a user without a foreign key. */
    userColumns: readonly PgColumn[]
    /** Every kind of work that a person may hold. */
    holdings: readonly Holding[]
    /** Every kind of edited content. */
    contents: readonly AnyContent[]
    /** How sample content beside it is removed. */
    sampleParts: readonly SamplePart[]
    /** Every settings whose former states can be taken over. */
    storedSettings: readonly StoredSettings[]
    /** True while any feature shows an emergency to visitors. */
    findEmergency: () => Promise<boolean>
    /** The published team record with this `id_employe`. */
    findTeamRecord: (id: number) => Promise<TeamRecord | null>
    /** The files that features store outside of the database. */
    exportedFiles: readonly ExportFiles[]
    /** Where the files of an imported export go that features store outside of the database. */
    fileStores: readonly FileStore[]
    /** Where every entry with a page of its own is, published or not. */
    findEntryAddresses: () => Promise<EntryAddress[]>
    /** Every page that visitors see. */
    findPageAddresses: () => Promise<PageAddress[]>
    /** The notice of an emergency on every page, where a feature has one. */
    emergencyNotice: EmergencyNotice | undefined
    nameElements: NameElements
    /** Parts of the system that features report on the health page. */
    findHealthReports: () => Promise<HealthReport[]>
    checkMailbox: CheckMailbox
    /** Counts what visitors do. */
    visits: VisitCounter
    /** Every kind of file that can be imported. */
    importers: readonly Importer[]
    /** What pages of another site can become, by name. */
    pageWriters: Readonly<Record<string, ImportWriter>>
    /** Fields that features add to the profile of a signed-in user. */
    profileFields: readonly ProfileField[]
  }
}

/** Tries a mailbox once and returns the result in one sentence. */
export type CheckMailbox = (address: string) => Promise<{ ok: boolean; text: Label }>
export type TeamRecord = { name: string; title: string; title_en: string; photo: string | null }
/** Shows visitors an emergency notice, and removes it unless it was changed meanwhile. */
export type EmergencyNotice = {
  /** Taken before anything is recorded in a transaction that may change the notice. */
  lock: (tx: Database) => Promise<void>
  put: (context: ContentContext, author: Author, texts: NoticeTexts) => Promise<unknown>
  takeBack: (context: ContentContext, author: Author, placed: unknown) => Promise<void>
}
/** Components of the networks in words, in each language; null for one that there is not. An empty name is the network itself. */
export type NameElements = (
  reader: Reader,
  elements: readonly { id_reseau: number; nom: string }[],
) => Promise<(Record<Language, string> | null)[]>
export type NoticeTexts = { title: string; title_en: string; text: string; text_en: string }

/**
 * Path of a page, or its path in each language that it has a text in, and when what it shows was changed (ISO 8601). The page
 * above it is a list that shows it, unless it stands alone.
 */
export type PageAddress = string | (Partial<Record<Language, string>> & { changedAt?: string | undefined; standsAlone?: true })

/** Files for an export, by names below `files/`; one that should be there and is not has no chunks. */
export type ExportFiles = (app: App, db: Database) => AsyncIterable<{ name: string; chunks: AsyncIterable<Uint8Array> | null }>

/** Takes back the files that `exportFiles` gave. */
export type FileStore = {
  /** Their folder below `files/`, and the rows that name them. */
  folder: string
  table: string
  column: string
  /** False for a name that no file of ours has. */
  isKey: (key: string) => boolean
  /** Stores a file before its row; false where it is there already. One without a row in the end is removed later. */
  store: (app: App, key: string, path: string) => Promise<boolean>
  /** In the transaction that stored the rows. */
  settle: (tx: Database) => Promise<void>
  /** Removes stored files whose rows did not come. */
  discard: (app: App, keys: readonly string[]) => Promise<void>
}

/** A page of one entry; `area`: who may read it there sees it before it is published. */
export type EntryAddress = { path: string; title: Record<Language, string>; isPublished: boolean; area?: Area }

/** A part of the system on the health page. */
export type HealthReport = {
  label: Label
  status: 'OK' | 'WARNING' | 'ERROR'
  lines: Label[]
  /** What to do while it is not well, and where. */
  advice: { text: Label; link: Label; path: string }
}

/** Fields that a feature adds to `GET /api/auth/me` of every user: their schema, and how to find them. */
export type ProfileField = { shape: z.ZodRawShape; find: (db: Database) => Promise<Record<string, unknown>> }

/** Open work of a person, which is shown before their account is locked or deleted, and goes to others with it. */
export type Holding = {
  kind: string
  /** So many of them, in words. */
  describe: (count: number) => Label
  /** What becomes of them where nobody chooses. */
  fate: Label
  find: (app: App, userId: number, viewer: Viewer) => Promise<{ count: number; rows: { label: string; path: string }[] }>
  /** Who may be given them; undefined where a change of owner is no choice. */
  findTakers?: (tx: Database) => Promise<{ id_user: number; display_name: string }[]>
  /** Who may take them off the site with the account; undefined where the site does not show them. */
  mayHide?: (rights: Rights) => boolean
  /** Part of the lock or deletion of the account; what it returns runs after the commit. */
  release: (app: App, tx: Database, author: Author, leaving: Leaving) => Promise<() => Promise<void>>
}
/** `giveTo`: a colleague, null for nobody, undefined where nobody chose. `hides`: what the site shows of them becomes a draft. */
export type Leaving = {
  userId: number
  name: string
  isDeleted: boolean
  giveTo: number | null | undefined
  hides: boolean
}

/** Who looks at the landing screen. */
export type Viewer = { userId: number; rights: Rights }

/** What a feature adds to the landing screen: its schema, and how to find it for somebody; nothing without the right to it. */
export type CounterPart = { shape: z.ZodRawShape; find: (app: App, viewer: Viewer) => Promise<Record<string, unknown>> }

/** The server part of a feature; `src/app/server-features.ts` lists them all, and the application is composed from it. */
export type ServerFeature = {
  /** The shared declaration of the feature. */
  feature: Feature
  /** REST routes by prefix: writes require the XSRF token, and responses are not cached. */
  api?: Record<string, Routes>
  /** Other routes by prefix: feeds, calendars, files. */
  routes?: Record<string, Routes>
  /** Its edited entries: a deletion can be restored, and their English is reviewed. */
  content?: readonly AnyContent[]
  /** Its settings, of which former states can be taken over, too. */
  settings?: StoredSettings
  /** Services for the loaders of its pages; their type is declared beside them, as part of `PageServices`. */
  pageServices?: (app: App) => Partial<PageServices>
  /** Addresses of its public pages that depend on the database; by language where they differ, or exist in one only. */
  findAddresses?: (app: App) => Promise<PageAddress[]>
  /** Every entry that has a page of its own, where some are not published or have former addresses. */
  findEntryAddresses?: (app: App) => Promise<EntryAddress[]>
  /** Its files outside of the database. */
  exportFiles?: ExportFiles
  fileStore?: FileStore
  countVisits?: (app: App) => VisitCounter
  /** Where addresses lead that nothing of the product answers. */
  answerMissing?: (app: App) => AnswerMissing
  /** Pages that take a post with files without JavaScript: the path before the last part, and the most bytes of a body. */
  pageUploads?: Record<string, number>
  /** Its entries whose links show a picture of their own elsewhere. */
  sharePictures?: SharePictures
  /** What visitors find by the search. */
  searchable?: readonly SearchSource[]
  /** True while the feature shows an emergency to visitors. */
  findEmergency?: (app: App) => Promise<boolean>
  findTeamRecord?: (app: App, id: number) => Promise<TeamRecord | null>
  emergencyNotice?: EmergencyNotice
  nameElements?: NameElements
  /** Null where that part is not used. */
  findHealth?: (app: App) => Promise<HealthReport | null | (HealthReport | null)[]>
  checkMailbox?: CheckMailbox
  personalData?: readonly PersonalDataKind[]
  /** Every column of its tables that could hold information about people: those that do, and those that do not. */
  personalColumns?: readonly PersonalColumns[]
  impersonalColumns?: readonly ImpersonalColumns[]
  holdings?: readonly Holding[]
  /** When the rows of its tables end; edited content stays until somebody deletes it. */
  tableEnds?: readonly TableEnd[]
  /** Tables that show stored pictures, besides those of edited content; a picture that none shows is removed after a month. */
  pictureTables?: readonly PgTable[]
  /** Columns of large tables that name a user without a foreign key: cleared in parts after the user is deleted. */
  userColumns?: readonly PgColumn[]
  profileField?: ProfileField
  counter?: CounterPart
  /** A line below the button of a page on the landing screen, by the page's path. */
  findFigures?: (app: App, viewer: Viewer) => Promise<Record<string, Label | undefined>>
  /** What a new installation needs, done or not, where the viewer can do it. */
  findSetup?: (app: App, viewer: Viewer) => Promise<SetupStep[]>
  /** What the command palette finds for a text; only what the viewer may see, and at most a few of each kind. */
  findInPalette?: (app: App, viewer: Viewer, search: string) => Promise<PaletteResult[]>
  /** Files that may be uploaded to it in pieces, by purpose. */
  uploads?: Readonly<Record<string, UploadPurpose>>
  /** Kinds of files that can be imported into it. */
  importers?: readonly Importer[]
  /** What pages of another site can become here, by name; their values are a `WebPage`. */
  pageWriters?: Readonly<Record<string, ImportWriter>>
  /** Fills an unused database with the company's sample content (`DEMO`). */
  putSample?: (tx: Database) => Promise<void>
  /** What else must be known of its sample content to remove it. */
  samplePart?: SamplePart
}

/** Of sample content in one table. */
export type SamplePart = {
  table: PgTable
  /** The rows that the company put to use, although it did not edit them. */
  findUsed?: (db: Database) => Promise<number[]>
  /** Which of these rows are still there, and how one is removed, where they are no edited content. */
  findExisting?: (db: Database, ids: number[]) => Promise<number[]>
  remove?: (app: Pick<App, 'db'>, author: Author, id: number) => Promise<void>
}

const contentStays = { fr: 'Le personnel supprime ce qui ne sert plus.', en: 'Staff delete what is no longer used.' }

/** The tables of all features, edited content included. */
export function tableEndsOf(features: readonly ServerFeature[]): TableEnd[] {
  const declared = features.flatMap(({ tableEnds = [] }) => tableEnds)
  const known = new Set(declared.flatMap(({ tables }) => tables))
  const contents = features
    .flatMap(({ content = [] }) => content)
    .filter(({ table }) => !known.has(table))
    .map(({ table, label }) => ({ tables: [table], label, reason: contentStays }))
  return [...declared, ...contents]
}

export const serverFeature = (feature: Feature, server: Omit<ServerFeature, 'feature'>): ServerFeature => ({ ...server, feature })
