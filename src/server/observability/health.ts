import type { Database } from '../database/database.ts'
import { pingDatabase } from '../database/database.ts'
import { logger } from '../log.ts'
import { NotReady } from '../problems.ts'
import type { Routes } from '../types.ts'

/** `/healthz`: the process runs. `/readyz`: the database responds (the start migrates before it listens). */
export const healthRoutes: Routes = async (app) => {
  app.get('/healthz', { config: { access: 'public' }, schema: { hide: true } }, () => 'OK')
  app.get('/readyz', { config: { access: 'public' }, schema: { hide: true } }, async () => {
    if (!(await isDatabaseUp(app.db))) throw new NotReady('The database is not responding.')
    return 'OK'
  })
}

export async function isDatabaseUp(db: Database) {
  try {
    await within(1_500, pingDatabase(db))
    return true
  } catch (error) {
    logger.warn({ err: error }, 'database does not answer')
    return false
  }
}

async function within<T>(milliseconds: number, work: Promise<T>) {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('too slow')), milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
