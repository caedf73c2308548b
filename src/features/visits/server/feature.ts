import { lt, inArray } from 'drizzle-orm'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { hasRight } from '#src/lib/rights.ts'
import { visitsThisWeek } from '../contract.ts'
import { visits } from '../feature.ts'
import { beaconPath, visitMonths } from '../values.ts'
import { createVisitCounter } from './counting.ts'
import { findWeek } from './figures.ts'
import { beaconRoutes, visitRoutes } from './routes.ts'
import { visitCounts } from './table.ts'
import { tallyOf } from './tally.ts'

export const visitsServer = serverFeature(visits, {
  api: { '/api/visits': visitRoutes, [beaconPath]: beaconRoutes },
  countVisits: (app) => createVisitCounter(app, tallyOf(app)),
  counter: {
    shape: { visits: visitsThisWeek },
    async find(app, { rights }) {
      return hasRight(rights, 'company', 'read_only') ? { visits: await findWeek(app) } : {}
    },
  },
  impersonalColumns: [{ columns: [visitCounts.day, visitCounts.key], reason: 'counts by day, with nothing about who' }],
  tableEnds: [
    {
      tables: [visitCounts],
      label: { fr: 'Fréquentation du site', en: 'Visits of the site' },
      days: Math.round((visitMonths * 365.25) / 12),
      async purge({ db }, before, limit) {
        const days = db
          .selectDistinct({ day: visitCounts.day })
          .from(visitCounts)
          .where(lt(visitCounts.day, before.toISOString().slice(0, 10)))
          .limit(Math.max(1, Math.ceil(limit / 1_000)))
        return (await db.delete(visitCounts).where(inArray(visitCounts.day, days)).returning({ day: visitCounts.day })).length
      },
    },
  ],
})
