import type { EmployeeFilter } from '#src/features/employees/contract.ts'
import { findChatState, findAvailability } from '#src/features/chat/server/availability.ts'
import { readEmployee, readEmployees } from '#src/features/employees/server/service.ts'
import { readHomeInformations, readHomeMessages } from '#src/features/home/server/service.ts'
import { readOpenJobs, readPublicJob } from '#src/features/jobs/server/service.ts'
import { readHeaderStatus, readNetworks } from '#src/features/networks/server/service.ts'
import { readNotes } from '#src/features/notes/server/service.ts'
import { createPageForms } from '#src/features/requests/server/page-form.ts'
import { readMaintenance } from '#src/features/updates/server/service.ts'
import type { App } from '#src/server/types.ts'

/** What the site's loaders and actions may call while a page is rendered on the server. */
export function createPageServices(app: App) {
  const { db, site } = app
  return {
    chat: {
      findAvailability: () => findAvailability(db, app.realtime.io.of('/staff')),
      findState: () => findChatState(app, app.realtime.io.of('/staff')),
    },
    home: {
      findMessages: () => readHomeMessages(app),
      findInformations: () => readHomeInformations(app),
    },
    employees: {
      find: (id: number) => readEmployee(app, id),
      findBy: (filter: EmployeeFilter) => readEmployees(app, filter),
    },
    jobs: {
      find: (id: number) => readPublicJob(app, id),
      findOpen: () => readOpenJobs(app),
    },
    networks: {
      findAll: () => readNetworks(app),
      findHeaderStatus: () => readHeaderStatus(app),
    },
    notes: { findAll: () => readNotes(app) },
    requests: createPageForms(app),
    updates: { findMaintenance: () => readMaintenance(app) },
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
