import type { RouteConfig, RouteConfigEntry } from '@react-router/dev/routes'
import { index, layout, route } from '@react-router/dev/routes'
import { applicationPages } from './features/applications/pages.ts'
import { articlesPages } from './features/articles/pages.ts'
import { auditPages } from './features/audit/pages.ts'
import { chatPages } from './features/chat/pages.ts'
import { employeesPages } from './features/employees/pages.ts'
import { exportsPages } from './features/exports/pages.ts'
import { healthPages } from './features/health/pages.ts'
import { homePages } from './features/home/pages.ts'
import { importPages } from './features/imports/pages.ts'
import { jobsPages } from './features/jobs/pages.ts'
import { networksPages } from './features/networks/pages.ts'
import { notesPages } from './features/notes/pages.ts'
import { pagesPages } from './features/pages/pages.ts'
import { peoplePages } from './features/people/pages.ts'
import { privacyPages } from './features/privacy/pages.ts'
import { recordingsPages } from './features/recordings/pages.ts'
import { redirectsPages } from './features/redirects/pages.ts'
import { requestsPages } from './features/requests/pages.ts'
import { companyPages } from './features/company/pages.ts'
import { updatesPages } from './features/updates/pages.ts'
import { visitsPages } from './features/visits/pages.ts'

/** Page addresses of a feature, with files relative to `src/`. */
type FeaturePages = {
  /** With header, menu and footer of the site. */
  public?: RouteConfigEntry[]
  /** Below `/admin`, for signed-in users. */
  admin?: RouteConfigEntry[]
  /** Without a layout. */
  bare?: RouteConfigEntry[]
}

const features: readonly FeaturePages[] = [
  homePages,
  networksPages,
  requestsPages,
  employeesPages,
  jobsPages,
  applicationPages,
  pagesPages,
  chatPages,
  peoplePages,
  privacyPages,
  recordingsPages,
  notesPages,
  updatesPages,
  companyPages,
  redirectsPages,
  exportsPages,
  healthPages,
  auditPages,
  articlesPages,
  importPages,
  visitsPages,
]

const pagesIn = (place: keyof FeaturePages) => features.flatMap((pages) => pages[place] ?? [])

// Every component in every state, for developers; not part of the build.
const gallery = process.env.NODE_ENV === 'development' ? [route('ui', 'ui/gallery/ui-gallery.tsx')] : []

/** Every page address of the product. */
export default [
  layout('app/public-shell/public-layout.tsx', [
    layout('app/public-shell/public-pages.tsx', [
      ...pagesIn('public'),
      ...gallery,
      route('*', 'app/public-shell/not-found-page.tsx'),
    ]),
  ]),
  ...pagesIn('bare'),
  route('admin', 'app/admin-shell/admin-layout.tsx', [
    index('app/admin-shell/admin-index.tsx'),
    route('panel', 'app/admin-shell/admin-panel-page.tsx'),
    ...pagesIn('admin'),
  ]),
] satisfies RouteConfig
