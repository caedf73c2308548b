import { z } from 'zod'
import type { Rights } from '#src/lib/rights.ts'
import { hasRight } from '#src/lib/rights.ts'
import type { App, Routes } from '#src/server/types.ts'
import type { Translation } from '../contract.ts'
import { translation } from '../contract.ts'

/** Entries whose English is missing or outdated, for the panel. */
export const translationRoutes: Routes = async (app) => {
  app.get('/', { config: { access: 'signed-in' }, schema: { response: { 200: z.array(translation) } } }, (request) =>
    findTranslations(app, request.actor.mustSetUpTotp ? {} : request.actor.rights),
  )
}

/** Entries whose English is missing or older, among those a user may edit. */
export async function findTranslations({ db, contents }: Pick<App, 'db' | 'contents'>, rights: Rights): Promise<Translation[]> {
  const found: Translation[] = []
  for (const content of contents) {
    if (!hasRight(rights, content.area, 'read_write')) continue
    for (const { id, name, isMissing, olderSince } of await content.findToReview(db))
      found.push({ kind: content.kind ?? content.area, id, name, missing: isMissing, older_since: olderSince })
  }
  return found
}
