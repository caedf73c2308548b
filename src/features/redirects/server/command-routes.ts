import { z } from 'zod'
import { everyRight } from '#src/lib/rights.ts'
import { text } from '#src/lib/schemas.ts'
import { guichetAuthor } from '#src/server/http/command-key.ts'
import type { Routes } from '#src/server/types.ts'
import { redirectInput, tryQuery } from '../contract.ts'
import { addressMax } from '../values.ts'
import { redirectsOf } from './service.ts'

const command = { config: { access: 'command redirects' } } as const
const search = z.strictObject({ q: text(addressMax).default('') })

/** For `guichet redirects`. */
export const redirectCommandRoutes: Routes = async (app) => {
  const service = redirectsOf(app)
  app.post('/command/list', { ...command, schema: { hide: true, body: search } }, async ({ body: { q } }) => {
    const all = []
    for (let page = 1; ; page += 1) {
      const { rows, total } = await service.list({ q, state: 'all', page })
      all.push(...rows)
      if (rows.length === 0 || all.length >= total) return all
    }
  })
  app.post('/command/add', { ...command, schema: { hide: true, body: redirectInput } }, ({ body }) =>
    service.create(guichetAuthor('redirects'), body),
  )
  app.post('/command/test', { ...command, schema: { hide: true, body: tryQuery } }, ({ body: { address, language } }) =>
    service.try(address, language, everyRight(app.areas)),
  )
}
