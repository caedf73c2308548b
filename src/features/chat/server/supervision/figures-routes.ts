import { translator } from '#src/lib/texts.ts'
import type { Routes } from '#src/server/types.ts'
import { needs } from '../../../auth/server/guard.ts'
import { chatFigures, figuresExportQuery, figuresQuery } from '../../figures-contract.ts'
import { figuresTexts } from '../../figures-texts.ts'
import { exportFigures } from './figures-export.ts'
import { findFigures } from './figures.ts'

/** `/api/chat/figures`: how the chat goes, and how each technician does, for who supervises it. */
export const chatFiguresRoutes: Routes = async (app) => {
  app.addHook('onRequest', needs('chat', 'administrator'))
  app.get('/', { schema: { querystring: figuresQuery, response: { 200: chatFigures } } }, (request) =>
    findFigures(app.db, request.query),
  )
  app.get('/export.csv', { schema: { querystring: figuresExportQuery } }, async (request, reply) => {
    const { language, from, to } = request.query
    const name = `${translator(figuresTexts, language)('fileName')}-${from}-${to}.csv`
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(exportFigures(await findFigures(app.db, { from, to }), language))
  })
}
