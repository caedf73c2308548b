import { applications } from '#src/features/applications/feature.ts'
import { articles } from '#src/features/articles/feature.ts'
import { audit } from '#src/features/audit/feature.ts'
import { chat } from '#src/features/chat/feature.ts'
import { companyFeature } from '#src/features/company/feature.ts'
import { employees } from '#src/features/employees/feature.ts'
import { exportsFeature } from '#src/features/exports/feature.ts'
import { health } from '#src/features/health/feature.ts'
import { home } from '#src/features/home/feature.ts'
import { imports } from '#src/features/imports/feature.ts'
import { jobs } from '#src/features/jobs/feature.ts'
import { networks } from '#src/features/networks/feature.ts'
import { notes } from '#src/features/notes/feature.ts'
import { pages } from '#src/features/pages/feature.ts'
import { people } from '#src/features/people/feature.ts'
import { privacy } from '#src/features/privacy/feature.ts'
import { redirects } from '#src/features/redirects/feature.ts'
import { recordings } from '#src/features/recordings/feature.ts'
import { requests } from '#src/features/requests/feature.ts'
import { updates } from '#src/features/updates/feature.ts'
import { visits } from '#src/features/visits/feature.ts'
import type { Feature } from '#src/lib/feature.ts'

/** Every feature, in the order of the menu. */
export const features: readonly Feature[] = [
  chat,
  requests,
  employees,
  jobs,
  applications,
  networks,
  notes,
  home,
  visits,
  recordings,
  people,
  updates,
  health,
  audit,
  privacy,
  pages,
  companyFeature,
  exportsFeature,
  redirects,
  articles,
  imports,
]
