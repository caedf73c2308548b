import { translator } from '#src/lib/texts.ts'
import type { Routes } from '#src/server/types.ts'
import { chatFigures, figuresExportQuery, figuresQuery } from '../../figures-contract.ts'
import { figuresTexts } from '../../figures-texts.ts'
import { exportFigures } from './figures-export.ts'
import { findFigures } from './figures.ts'

const config = { access: 'chat administrator' } as const

/** `/api/chat/figures`: how the chat goes, and how each technician does, for who supervises it. */
export const chatFiguresRoutes: Routes = async (app) => {
  app.get('/', { config, schema: { querystring: figuresQuery, response: { 200: chatFigures } } }, (request) =>
    findFigures(app.db, request.query),
  )
  app.get('/export.csv', { config, schema: { querystring: figuresExportQuery } }, async (request, reply) => {
    const { language, from, to } = request.query
    const name = `${translator(figuresTexts, language)('fileName')}-${from}-${to}.csv`
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(exportFigures(await findFigures(app.db, { from, to }), language))
  })
}
