import { applicationsServer } from '#src/features/applications/server/feature.ts'
import { articlesServer } from '#src/features/articles/server/feature.ts'
import { auditServer } from '#src/features/audit/server/feature.ts'
import { chatServer } from '#src/features/chat/server/feature.ts'
import { companyServer } from '#src/features/company/server/feature.ts'
import { employeesServer } from '#src/features/employees/server/feature.ts'
import { exportsServer } from '#src/features/exports/server/feature.ts'
import { healthServer } from '#src/features/health/server/feature.ts'
import { homeServer } from '#src/features/home/server/feature.ts'
import { importsServer } from '#src/features/imports/server/feature.ts'
import { jobsServer } from '#src/features/jobs/server/feature.ts'
import { networksServer } from '#src/features/networks/server/feature.ts'
import { notesServer } from '#src/features/notes/server/feature.ts'
import { pagesServer } from '#src/features/pages/server/feature.ts'
import { peopleServer } from '#src/features/people/server/feature.ts'
import { privacyServer } from '#src/features/privacy/server/feature.ts'
import { recordingsServer } from '#src/features/recordings/server/feature.ts'
import { redirectsServer } from '#src/features/redirects/server/feature.ts'
import { requestsServer } from '#src/features/requests/server/feature.ts'
import { updatesServer } from '#src/features/updates/server/feature.ts'
import { visitsServer } from '#src/features/visits/server/feature.ts'
import type { ServerFeature } from '#src/features/content/server/feature.ts'

/** The server part of every feature. */
export const serverFeatures: readonly ServerFeature[] = [
  // Moving in is the first step of the setup.
  importsServer,
  chatServer,
  requestsServer,
  employeesServer,
  jobsServer,
  applicationsServer,
  networksServer,
  notesServer,
  homeServer,
  recordingsServer,
  peopleServer,
  updatesServer,
  healthServer,
  auditServer,
  privacyServer,
  pagesServer,
  companyServer,
  redirectsServer,
  exportsServer,
  articlesServer,
  visitsServer,
]
