import { homeInformationEntries, homeMessageEntries } from '#src/features/home/server/service.ts'
import { findHeaderStatus, networkEntries } from '#src/features/networks/server/service.ts'
import { noteEntries } from '#src/features/notes/server/service.ts'
import type { App } from './types.ts'

/** What the site's loaders and actions may call while a page is rendered on the server. */
export function createPageServices(app: App) {
  const { db, site } = app
  return {
    home: {
      findMessages: () => homeMessageEntries.findAll(db),
      findInformations: () => homeInformationEntries.findAll(db),
    },
    networks: {
      findAll: () => networkEntries.findAll(db),
      findHeaderStatus: () => findHeaderStatus(db),
    },
    notes: { findAll: () => noteEntries.findAll(db) },
    texts: site.texts,
    site: {
      findDownloads: site.findDownloads,
      findTutorials: site.findTutorials,
      findTutorial: site.findTutorial,
      findScenes: site.findScenes,
      findMap: site.findMap,
    },
  }
}

export type PageServices = ReturnType<typeof createPageServices>
