import { z } from 'zod'
import { drawShareCard } from '#src/features/content/server/share-picture.ts'
import { idParam } from '#src/lib/schemas.ts'
import { languages } from '#src/lib/language/language.ts'
import { sendShared } from '#src/server/http/atom-feed.ts'
import type { Routes } from '#src/server/types.ts'
import { serverFeatures } from '../server-features.ts'

/** `/partage/job/12.fr.png`: the pictures that links to entries show elsewhere. */
export const sharePictureRoutes: Routes = async (app) => {
  for (const { kind, find } of serverFeatures.flatMap(({ sharePictures }) => sharePictures ?? []))
    for (const language of languages)
      app.get(
        `/partage/${kind}/:id.${language}.png`,
        { config: { access: 'public' }, schema: { hide: true, params: z.strictObject({ id: idParam }) } },
        async (request, reply) => {
          const picture = await drawShareCard(await find(app, request.params.id, language))
          return sendShared(request, reply, picture, 'image/png')
        },
      )
}
