import type { VideoObject } from 'schema-dts'
import { locales } from '#src/lib/language/language.ts'
import type { PageText, ShownVideo } from '../contract.ts'

type VideoFile = Extract<ShownVideo, { kind: 'file' }>
type Described = Pick<PageText, 'title' | 'description'>

/**
 * Structured data of a tutorial's video: name, picture and date are required by Google. A player of another site has no known
 * date, so it is not described.
 */
export function describeVideo(video: VideoFile, { title, description }: Described, origin: string, picture: string) {
  return {
    '@type': 'VideoObject',
    name: title,
    description,
    thumbnailUrl: new URL(video.poster ?? picture, origin).href,
    uploadDate: video.uploaded_at,
    contentUrl: new URL(video.src, origin).href,
    inLanguage: locales.fr,
  } satisfies VideoObject
}
