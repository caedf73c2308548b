import { z } from 'zod'
import { media } from '#company/media.ts'
import { NotFound } from '#src/server/problems.ts'
import { sendFile } from '#src/server/http/send-file.ts'
import type { Routes } from '#src/server/types.ts'

const params = z.strictObject({ file: z.string().max(130) })

/** Only the files that `media.ts` lists are served; any other name is not there, whatever the folders hold. */
const downloads = new Map(media.downloads.flatMap((download) => ('file' in download ? [[download.file, download.use]] : [])))
/** Where each is offered, with what to do while it is missing. */
const pages = { remote_assistance: '/support', softphone: '/telecom/docs' } as const
const videos = new Set(
  media.tutorials.flatMap(({ video }) => (video.kind === 'file' ? [video.file, video.captions, video.poster] : [video.poster])),
)

export const downloadRoutes: Routes = async (app) => {
  app.get('/:file', { config: { access: 'public' }, schema: { params, hide: true } }, async (request, reply) => {
    const { file } = request.params
    const use = downloads.get(file)
    if (!use) throw new NotFound('There is no such file.')
    void reply.header('content-disposition', `attachment; filename="${file}"`)
    try {
      return await sendFile(request, reply, app.site.downloadsFolder, file, 'no-cache')
    } catch (error) {
      if (!(error instanceof NotFound) || !request.headers.accept?.includes('text/html')) throw error
      // A link kept from before leads to the page that says that the file is not offered now, and who to call.
      return reply.removeHeader('content-disposition').redirect(pages[use])
    }
  })
}

export const videoRoutes: Routes = async (app) => {
  app.get('/:file', { config: { access: 'public' }, schema: { params, hide: true } }, async (request, reply) => {
    const { file } = request.params
    const folder = videos.has(file) ? app.site.findVideoFolder(file) : undefined
    if (!folder) throw new NotFound('There is no such file.')
    return sendFile(request, reply, folder, file, 'public, max-age=3600')
  })
}
