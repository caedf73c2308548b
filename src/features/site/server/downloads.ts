import { z } from 'zod'
import { media } from '#company/media.ts'
import { NotFound } from '#src/server/problems.ts'
import { sendFile } from '#src/server/http/send-file.ts'
import type { Routes } from '#src/server/types.ts'

const params = z.strictObject({ file: z.string().max(130) })

/** Only the files that `media.ts` lists are served; any other name is not there, whatever the folders hold. */
const downloads = new Set(media.downloads.flatMap((download) => ('file' in download ? [download.file] : [])))
const videos = new Set(
  media.tutorials.flatMap(({ video }) => (video.kind === 'file' ? [video.file, video.captions, video.poster] : [video.poster])),
)

export const downloadRoutes: Routes = async (app) => {
  app.get('/:file', { schema: { params, hide: true } }, async (request, reply) => {
    const { file } = request.params
    if (!downloads.has(file)) throw new NotFound('There is no such file.')
    void reply.header('content-disposition', `attachment; filename="${file}"`)
    return sendFile(request, reply, app.site.downloadsFolder, file, 'no-cache')
  })
}

export const videoRoutes: Routes = async (app) => {
  app.get('/:file', { schema: { params, hide: true } }, async (request, reply) => {
    const { file } = request.params
    const folder = videos.has(file) ? app.site.findVideoFolder(file) : undefined
    if (!folder) throw new NotFound('There is no such file.')
    return sendFile(request, reply, folder, file, 'public, max-age=3600')
  })
}
