import type { z } from 'zod'
import type { Feature } from '#src/lib/feature.ts'
import type { Database } from '#src/server/database/database.ts'
import type { PageServices } from '#src/server/pages/pages.ts'
import type { PersonalDataKind } from '#src/server/personal-data.ts'
import type { App, Routes } from '#src/server/types.ts'
import type { AnyContent } from './content.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Every kind of edited content. */
    contents: readonly AnyContent[]
    /** Whether any feature shows visitors an emergency at the moment. */
    findEmergency: () => Promise<boolean>
    /** What features add to the profile of a signed-in user. */
    profileFields: readonly ProfileField[]
  }
}

/** Fields that a feature adds to `GET /api/auth/me`, whoever the user is: their schema, and how to find them. */
export type ProfileField = { shape: z.ZodRawShape; find: (db: Database) => Promise<Record<string, unknown>> }

/** What a feature is on the server; from the list of all of them (`src/app/server-features.ts`) the application is composed. */
export type ServerFeature = {
  /** What it is to the rest of the product. */
  feature: Feature
  /** The REST API by prefix: changes need the XSRF token, and no cache stores a response. */
  api?: Record<string, Routes>
  /** What else it serves, by prefix: feeds, calendars, files. */
  routes?: Record<string, Routes>
  /** Its edited entries: a deletion can be restored, and their English is reviewed. */
  content?: readonly AnyContent[]
  /** What the loaders of its pages call on the server; a feature declares the type beside it, as part of `PageServices`. */
  pageServices?: (app: App) => Partial<PageServices>
  /** Addresses of its public pages that depend on the database. */
  findAddresses?: (app: App) => Promise<string[]>
  /** Whether it shows visitors an emergency at the moment. */
  findEmergency?: (app: App) => Promise<boolean>
  personalData?: readonly PersonalDataKind[]
  profileField?: ProfileField
  /** Fills an unused database with the company's sample content (`DEMO`). */
  putSample?: (tx: Database) => Promise<void>
}

export const serverFeature = (feature: Feature, server: Omit<ServerFeature, 'feature'>): ServerFeature => ({ ...server, feature })
