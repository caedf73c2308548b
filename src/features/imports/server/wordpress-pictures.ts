import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import sanitizeHtml from 'sanitize-html'
import { isPicture, storePicture } from '#src/features/content/server/pictures.ts'
import type { ImportSource, WebPage } from '#src/features/content/server/importing.ts'
import { escapeXml } from '#src/lib/text/escape.ts'
import { logger } from '#src/server/log.ts'
import { Problem } from '#src/server/problems.ts'
import { uploadsChoice } from '../values.ts'

const maxBytes = 20_000_000
const mostOfPage = 200
// Ends at the next opening bracket, so that each takes the time of its own length.
const images = /<img\b[^<>]*>/gi

type Found = { path: string; name: string; size: number }

/** The pictures of a site, from a copy of its folder `wp-content/uploads`. */
export async function openUploads({ map, isTrial, context }: ImportSource, site: string | null) {
  const given = map[uploadsChoice]
  const folder = given === undefined ? null : await realpath(given)
  const findImage = async (tag: string) => (folder === null ? null : findFile(folder, fileNames(readImage(tag).src, site)))

  return {
    isOpen: folder !== null,
    /** Which pictures of the texts are there, and how many are not. */
    async find(texts: readonly string[]) {
      const tags = texts.flatMap((text) => text.match(images) ?? [])
      const found = await Promise.all(tags.slice(0, mostOfPage).map(findImage))
      const there = found.filter((one) => one !== null)
      return {
        names: there.map(({ name, size }) => `${name} ${size}`),
        bytes: there.reduce((sum, { size }) => sum + size, 0),
        missing: tags.length - there.length,
      }
    },
    /** The page with its pictures stored here; a trial stores none. */
    async place(page: WebPage): Promise<WebPage> {
      if (isTrial) return page
      const placeAll = async (html: string) => {
        let [text, from] = ['', 0]
        for (const { 0: tag, index } of [...html.matchAll(images)].slice(0, mostOfPage)) {
          text += html.slice(from, index) + (await placeImage(tag))
          from = index + tag.length
        }
        return text + html.slice(from)
      }
      return { ...page, html: await placeAll(page.html), html_en: await placeAll(page.html_en) }
    },
  }

  async function placeImage(tag: string) {
    const file = await findImage(tag)
    if (!file) return ''
    try {
      const { url, width, height } = await storePicture(context.db, await readFile(file.path))
      return `<img src="${url}" alt="${escapeXml(readImage(tag).alt)}" width="${width}" height="${height}">`
    } catch (error) {
      // Not a picture after all, or a tiny one, such as those that count visitors.
      if (!(error instanceof Problem)) throw error
      logger.warn({ err: error, file: file.path }, 'a picture was not imported')
      return ''
    }
  }
}

/** Within the folder, and a picture by its content. */
async function findFile(folder: string, names: readonly string[]): Promise<Found | null> {
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
