import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { company } from '#company/company.ts'
import { media } from '#company/media.ts'
import type { Download, Tutorial } from '#src/lib/company-media-schema.ts'
import { companyMediaSchema } from '#src/lib/company-media-schema.ts'
import type { Config } from '#src/server/config.ts'
import type { MapSettings, OfferedFile, Scene, ShownTutorial } from '../contract.ts'
import { createFileFacts } from './file-facts.ts'
import { openTexts } from './texts.ts'

declare module 'fastify' {
  interface FastifyInstance {
    site: Site
  }
}

export type Site = ReturnType<typeof createSite>

/** What the static pages show, read from `company/` and from the data folder; throws where `company/` is wrong. */
export function createSite(config: Config) {
  companyMediaSchema.parse(media)
  const downloadsFolder = join(config.dataDir, 'downloads')
  // The product comes with its own short videos; a company's file of the same name wins.
  const videoFolders = [join(config.dataDir, 'videos'), join(process.cwd(), 'company/videos')]
  const readFacts = createFileFacts(downloadsFolder)
  const findVideoFolder = (file: string) => videoFolders.find((folder) => existsSync(join(folder, file)))

  const showTutorial = (tutorial: Tutorial): ShownTutorial => ({
    name: tutorial.name,
    title: tutorial.title,
    video: showVideo(tutorial.video, (file) => findVideoFolder(file) !== undefined),
  })

  return {
    texts: openTexts(config.mode === 'development'),
    downloadsFolder,
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

/** Hosts whose players a visitor may open; the pages' policy allows these frames and no other. */
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

function showVideo(video: Tutorial['video'], isThere: (file: string) => boolean): ShownTutorial['video'] {
  const address = (file: string | undefined) => (file && isThere(file) ? `/videos/${file}` : null)
  if (video.kind === 'embed') return { kind: 'embed', url: video.url, poster: address(video.poster) }
  const src = address(video.file)
  if (!src) return null
  const type = video.file.endsWith('.mp4') ? 'video/mp4' : 'video/webm'
  return { kind: 'file', src, type, captions: address(video.captions), poster: address(video.poster) }
}
