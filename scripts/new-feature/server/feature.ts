import { serverFeature } from '#src/features/content/server/feature.ts'
import type { App } from '#src/server/types.ts'
import { gadgets } from '../feature.ts'
import { gadgetRoutes } from './routes.ts'
import { gadgetContent, readGadgets } from './service.ts'
import { gadgets as table } from './table.ts'

declare module '#src/server/pages/pages.ts' {
  interface PageServices {
    gadgets: ReturnType<typeof pageServices>
  }
}

const pageServices = (app: App) => ({ findAll: () => readGadgets(app) })

export const gadgetsServer = serverFeature(gadgets, {
  api: { '/api/gadgets': gadgetRoutes },
  content: [gadgetContent],
  // A column with information about people goes into `personalColumns`, by which docs/privacy-assessment.md is written.
  impersonalColumns: [
    {
      columns: [table.name, table.nameEn, table.description, table.descriptionEn, table.englishOlder],
      reason: 'texts that the company publishes',
    },
  ],
  pageServices: (app) => ({ gadgets: pageServices(app) }),
  async putSample(tx) {
    await tx.insert(table).values({
      name: 'Exemple',
      nameEn: 'Example',
      description: 'Cette fiche montre la page « Gadgets » telle que les visiteurs la voient.',
      descriptionEn: 'This entry shows the “Gadgets” page as visitors see it.',
    })
  },
})
