import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import sanitizeHtml from 'sanitize-html'
import { isPicture, storePicture } from '#src/features/content/server/pictures.ts'
import type { ImportSource, RefusePart, WebPage } from '#src/features/content/server/importing.ts'
import { Refused } from '#src/features/content/server/importing.ts'
import { escapeXml } from '#src/lib/text/escape.ts'
import { createConcurrencyLimit } from '#src/server/background/limited-worker.ts'
import { logger } from '#src/server/log.ts'
import { Problem } from '#src/server/problems.ts'
import { fetchChoice, uploadsChoice } from '../values.ts'
import { createPictureFetcher, mostAtOnce } from './fetch-pictures.ts'

const maxBytes = 20_000_000
const mostOfPage = 200
/** A fetched picture counts as so much of a batch, which therefore ends after a few of them. */
const fetchedBytes = 400_000
// Ends at the next opening bracket, so that each takes the time of its own length.
const images = /<img\b[^<>]*>/gi

type UploadedFile = { path: string; name: string; size: number }
/** Where a picture of a text is: a file of the folder, or an address of the site. */
type Found = UploadedFile | { url: string }

/** The pictures of a site: from a copy of its folder `wp-content/uploads`, or fetched from their addresses. */
export async function openPictures({ map, isTrial, context }: ImportSource, site: string | null) {
  const given = map[uploadsChoice]
  const folder = given === undefined ? null : await realpath(given)
  const fetcher = map[fetchChoice] === undefined ? null : createPictureFetcher(context.config.importAllow)
  const limit = createConcurrencyLimit(mostAtOnce)

  return {
    /** Whether the picture above a text can be taken. */
    isOpen: folder !== null || fetcher !== null,
    /** Which pictures of the texts can be taken, and how many cannot. */
    async find(texts: readonly string[]) {
      const tags = texts.flatMap((text) => text.match(images) ?? [])
      const found = await Promise.all(tags.slice(0, mostOfPage).map(findImage))
      const there = found.filter((one) => one !== null)
      return {
        names: there.map((one) => ('url' in one ? one.url : `${one.name} ${one.size}`)),
        bytes: there.reduce((sum, one) => sum + ('url' in one ? fetchedBytes : one.size), 0),
        missing: tags.length - there.length,
      }
    },
    /** The page with its pictures stored here; a trial neither fetches nor stores any. */
    async place(page: WebPage, refuse: RefusePart): Promise<WebPage> {
      if (isTrial) return page
      const placeAll = async (html: string) => {
        const tags = [...html.matchAll(images)].slice(0, mostOfPage)
        const placed = await Promise.all(tags.map(([tag]) => limit(() => placeImage(tag, refuse))))
        let [text, from] = ['', 0]
        for (const [index, tag] of tags.entries()) {
          text += html.slice(from, tag.index) + (placed[index] ?? '')
          from = tag.index + tag[0].length
        }
        return text + html.slice(from)
      }
      return { ...page, html: await placeAll(page.html), html_en: await placeAll(page.html_en) }
    },
  }

  async function findImage(tag: string): Promise<Found | null> {
    const { src } = readImage(tag)
    const file = folder === null ? null : await findFile(folder, fileNames(src, site))
    if (file || !fetcher) return file
    const url = URL.canParse(src, site ?? undefined) ? new URL(src, site ?? undefined) : null
    return url && /^https?:$/.test(url.protocol) ? { url: url.href } : null
  }

  async function placeImage(tag: string, refuse: RefusePart) {
    const found = await findImage(tag)
    if (!found) return ''
    try {
      const { url, width, height } = await storeFound(found)
      return `<img src="${url}" alt="${escapeXml(readImage(tag).alt)}" width="${width}" height="${height}">`
    } catch (error) {
      // What is no picture after all, or a tiny one, such as those that count visitors.
      if (!(error instanceof Problem || error instanceof Refused)) throw error
      const name = 'url' in found ? found.url : found.name
      logger.warn({ err: error, picture: name }, 'a picture was not imported')
      if ('url' in found) refuse(name, error instanceof Refused ? error.reason : noPicture)
      return ''
    }
  }

  async function storeFound(found: Found) {
    const bytes = 'url' in found ? await fetcher?.read(found.url) : await readFile(found.path)
    if (!bytes) throw new Refused(noPicture)
    return storePicture(context.db, bytes)
  }
}

const noPicture = {
  fr: 'Image illisible, trop petite, ou d’un autre type que jpg, png, webp ou avif.',
  en: 'Unreadable picture, too small, or of another type than jpg, png, webp or avif.',
}

/** Within the folder, and a picture by its content. */
async function findFile(folder: string, names: readonly string[]): Promise<UploadedFile | null> {
  for (const name of names) {
    const path = await realpath(join(folder, name)).catch(() => null)
    if (!path?.startsWith(folder + sep)) continue
    const found = await stat(path)
    if (found.isFile() && found.size <= maxBytes && (await isPicture(path))) return { path, name, size: found.size }
  }
  return null
}

/** Where a picture lies in the folder: as it is shown, or the original of a smaller copy. */
export function fileNames(address: string, site: string | null) {
  if (!URL.canParse(address, site ?? undefined)) return []
  const { pathname } = new URL(address, site ?? undefined)
  const at = pathname.lastIndexOf('/uploads/')
  const name = at === -1 ? null : decode(pathname.slice(at + '/uploads/'.length))
  if (!name || name.includes('\0')) return []
  const original = name.replace(/-(?:\d{1,5}x\d{1,5}|scaled)(?=\.\w{3,4}$)/, '')
  return original === name ? [name] : [name, original]
}

function decode(path: string) {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}

/** Its attributes, as the parser of the cleaning reads them. */
function readImage(tag: string) {
  let [src, alt] = ['', '']
  const keep = (tagName: string, attribs: Record<string, string>) => {
    src = attribs['src'] ?? ''
    alt = attribs['alt'] ?? ''
    return { tagName, attribs }
  }
  sanitizeHtml(tag, { allowedTags: ['img'], transformTags: { img: keep } })
  return { src, alt }
}
