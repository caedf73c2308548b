import type { EmployeeFilter } from '#src/features/employees/contract.ts'
import { findAvailability } from '#src/features/chat/server/technicians.ts'
import { employeeEntries, findEmployees } from '#src/features/employees/server/service.ts'
import { homeInformationEntries, homeMessageEntries } from '#src/features/home/server/service.ts'
import { findOpenJobs, findPublicJob } from '#src/features/jobs/server/service.ts'
import { findHeaderStatus, networkEntries } from '#src/features/networks/server/service.ts'
import { noteEntries } from '#src/features/notes/server/service.ts'
import { createPageForms } from '#src/features/requests/server/page-form.ts'
import { findMaintenance } from '#src/features/updates/server/service.ts'
import type { App } from './types.ts'

/** What the site's loaders and actions may call while a page is rendered on the server. */
export function createPageServices(app: App) {
  const { db, site } = app
  return {
    chat: { findAvailability: () => findAvailability(db, app.realtime.io.of('/staff')) },
    home: {
      findMessages: () => homeMessageEntries.findAll(db),
      findInformations: () => homeInformationEntries.findAll(db),
    },
    employees: {
      find: (id: number) => employeeEntries.find(db, id),
      findBy: (filter: EmployeeFilter) => findEmployees(db, filter),
    },
    jobs: {
      find: (id: number) => findPublicJob(db, id),
      findOpen: () => findOpenJobs(db),
    },
    networks: {
      findAll: () => networkEntries.findAll(db),
      findHeaderStatus: () => findHeaderStatus(db),
    },
    notes: { findAll: () => noteEntries.findAll(db) },
    requests: createPageForms(app),
    updates: { findMaintenance: () => findMaintenance(db) },
    texts: site.texts,
    site: {
      findDownloads: site.findDownloads,
      findTutorials: site.findTutorials,
      findScenes: site.findScenes,
      findMap: site.findMap,
    },
  }
}

export type PageServices = ReturnType<typeof createPageServices>
