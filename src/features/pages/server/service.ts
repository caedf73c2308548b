import { createHash } from 'node:crypto'
import { createReadStream, existsSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { company } from '#company/company.ts'
import { media } from '#company/media.ts'
import type { Download, Tutorial } from '#src/lib/company-schema.ts'
import { companyMediaSchema } from '#src/lib/company-schema.ts'
import { shownCompanyFolder } from '#src/server/company-folder.ts'
import type { Config } from '#src/server/config.ts'
import { sendFile } from '#src/server/http/send-file.ts'
import { NotFound } from '#src/server/problems.ts'
import type { Routes } from '#src/server/types.ts'
import type { MapSettings, OfferedFile, Scene, ShownTutorial } from '../contract.ts'
import type { StoredTexts } from './texts.ts'
import { openTexts } from './texts.ts'

declare module 'fastify' {
  interface FastifyInstance {
    site: Site
  }
}

export type Site = ReturnType<typeof createSite>

/** Content of the static pages, from `company/` and the data folder; throws where `company/` is invalid. */
export function createSite(config: Config) {
  companyMediaSchema.parse(media)
  // The examples are no installers: only a demonstration offers them.
  const downloadFolders = [join(config.dataDir, 'downloads'), ...(config.demo ? [join(shownCompanyFolder(), 'downloads')] : [])]
  // The product includes short videos; a company's file of the same name takes precedence.
  const videoFolders = [join(config.dataDir, 'videos'), join(shownCompanyFolder(), 'videos')]
  const findFolder = (folders: string[]) => (file: string) => folders.find((folder) => existsSync(join(folder, file)))
  const findVideoFolder = findFolder(videoFolders)
  const findDownloadFolder = findFolder(downloadFolders)
  const readFacts = createFileFacts(findDownloadFolder)

  const showTutorial = (tutorial: Tutorial): ShownTutorial => ({
    name: tutorial.name,
    title: tutorial.title,
    video: showVideo(tutorial.video, findVideoFolder),
  })

  let stored: StoredTexts = new Map()
  const readTexts = () => openTexts(config.mode === 'development', stored)
  let texts = readTexts()

  return {
    get texts() {
      return texts
    },
    /** The texts name the company. */
    readTextsAgain() {
      texts = readTexts()
    },
    /** Shows these over the files; returns whether they are others than before. */
    showStored(next: StoredTexts) {
      if (JSON.stringify([...next]) === JSON.stringify([...stored])) return false
      stored = next
      texts = readTexts()
      return true
    },
    findDownloadFolder,
    findVideoFolder,
    findDownloads: () => Promise.all(media.downloads.map(async (download) => offer(download, readFacts))),
    findTutorials: () => media.tutorials.map(showTutorial),
    findScenes: (): Scene[] => media.wayOfLife,
    findMap: (): MapSettings => ({
      tilesUrl: config.mapTilesUrl ?? null,
      attribution: media.map.attribution,
      zoom: media.map.zoom,
      directionsUrl: media.map.directionsUrl
        .replace('{latitude}', String(company.address.latitude))
        .replace('{longitude}', String(company.address.longitude)),
    }),
  }
}

/** Hosts of video players; the pages' policy allows these frames only. */
export function findEmbedOrigins() {
  return [...new Set(media.tutorials.flatMap(({ video }) => (video.kind === 'embed' ? [new URL(video.url).origin] : [])))]
}

async function offer(download: Download, readFacts: ReturnType<typeof createFileFacts>): Promise<OfferedFile> {
  const { id, use, platform, label } = download
  if ('url' in download) return { id, use, platform, label, href: download.url, external: true, size: null, sha256: null }
  const facts = await readFacts(download.file)
  const href = facts ? `/downloads/${download.file}` : null
  return { id, use, platform, label, href, external: false, size: facts?.size ?? null, sha256: facts?.sha256 ?? null }
}

function showVideo(video: Tutorial['video'], findFolder: (file: string) => string | undefined): ShownTutorial['video'] {
  const address = (file: string | undefined) => (file && findFolder(file) !== undefined ? `/videos/${file}` : null)
  if (video.kind === 'embed') return { kind: 'embed', url: video.url, poster: address(video.poster) }
  const folder = findFolder(video.file)
  if (folder === undefined) return null
  const uploaded_at = statSync(join(folder, video.file)).mtime.toISOString()
  const type = video.file.endsWith('.mp4') ? 'video/mp4' : 'video/webm'
  const [captions, poster] = [address(video.captions), address(video.poster)]
  return { kind: 'file', src: `/videos/${video.file}`, type, captions, poster, uploaded_at }
}

type FileFacts = { size: number; sha256: string }

/** Returns size and SHA-256 of files, cached until they change. */
function createFileFacts(findFolder: (file: string) => string | undefined) {
  const known = new Map<string, { stamp: string; facts: Promise<FileFacts> }>()

  /** Null where there is no such file. */
  return async (file: string): Promise<FileFacts | null> => {
    const folder = findFolder(file)
    const path = join(folder ?? '', file)
    const found = folder === undefined ? null : await stat(path).catch(() => null)
    if (!found?.isFile()) return null
    const stamp = `${path} ${found.mtimeMs} ${found.size}`
    const before = known.get(file)
    if (before?.stamp === stamp) return before.facts
    const facts = hashFile(path).then((sha256) => ({ size: found.size, sha256 }))
    known.set(file, { stamp, facts })
    facts.catch(() => known.delete(file))
    return facts
  }
}

async function hashFile(path: string) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

const params = z.strictObject({ file: z.string().max(130) })

/** Only files listed in `media.ts` are served; any other name is 404, whatever the folders contain. */
const downloads = new Map(media.downloads.flatMap((download) => ('file' in download ? [[download.file, download.use]] : [])))
/** The page that offers each file and explains a missing one. */
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
      const folder = app.site.findDownloadFolder(file)
      if (!folder) throw new NotFound('There is no such file.')
      return await sendFile(request, reply, folder, file, 'no-cache')
    } catch (error) {
      if (!(error instanceof NotFound) || !request.headers.accept?.includes('text/html')) throw error
      // An old link redirects to the page that explains that the file is unavailable.
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
