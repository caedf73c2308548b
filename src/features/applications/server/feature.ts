import { serverFeature } from '#src/features/content/server/feature.ts'
import { hasRight } from '#src/lib/rights.ts'
import { impersonalColumns, personalColumns } from './personal-columns.ts'
import { applications } from '../feature.ts'
import { createApplicationForm } from './page-form.ts'
import { applicationData } from './personal-data.ts'
import { applicationBodyLimit, applicationRoutes, publicApplicationRoutes } from './routes.ts'
import { countWaiting } from './service.ts'
import { applications as table } from './table.ts'

declare module '#src/server/pages/pages.ts' {
  interface PageServices {
    applications: ReturnType<typeof createApplicationForm>
  }
}

export const applicationsServer = serverFeature(applications, {
  api: { '/public_api/jobs': publicApplicationRoutes, '/api/applications/applications': applicationRoutes },
  pageUploads: { '/emploi/voir': applicationBodyLimit },
  pageServices: (app) => ({ applications: createApplicationForm(app) }),
  personalData: [applicationData],
  personalColumns,
  impersonalColumns,
  tableEnds: [{ tables: [table], label: { fr: 'Candidatures', en: 'Job applications' }, kind: 'applications' }],
  async findFigures({ db }, { rights }) {
    if (!hasRight(rights, 'applications', 'read_only')) return {}
    const waiting = await countWaiting(db)
    const verify =
      waiting.suspected > 0
        ? { fr: `, ${waiting.suspected} à vérifier`, en: `, ${waiting.suspected} to verify` }
        : { fr: '', en: '' }
    return {
      '/admin/candidatures': {
        fr: `${waiting.new} ${waiting.new < 2 ? 'nouvelle' : 'nouvelles'}${verify.fr}`,
        en: `${waiting.new} new${verify.en}`,
      },
    }
  },
})
