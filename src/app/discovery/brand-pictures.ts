import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { company } from '#company/company.ts'
import { findFacts } from '#src/features/company/server/service.ts'
import { findLogo } from '#src/features/content/server/pictures.ts'
import { createDrawnPictures } from '#src/features/content/server/drawn-pictures.ts'
import { draw } from '#src/features/content/server/picture-process.ts'
import { measureText, writeText } from '#src/features/content/server/share-picture.ts'
import { languages } from '#src/lib/language/language.ts'
import type { Database } from '#src/server/database/database.ts'
import { sendFile } from '#src/server/http/send-file.ts'
import type { Routes } from '#src/server/types.ts'

const colors = { paper: '#faf7f1', ink: '#14213d', brand: '#1746a2', lamp: '#ffb224' }

/** Icons of home screens by file, with the share of their side that stays free: a maskable one may be cut into any shape. */
const icons = {
  'icon-180.png': { size: 180, margin: 0.14 },
  'icon-192.png': { size: 192, margin: 0.14 },
  'icon-512.png': { size: 512, margin: 0.14 },
  'icon-maskable-512.png': { size: 512, margin: 0.24 },
}
const shares = languages.map((language) => `share-${language}.png`)

/** The icons of a tab: with the lamp of the chat where it is not open. */
const tabIcons = ['favicon.svg', 'favicon-busy.svg', 'favicon-closed.svg', 'favicon-emergency.svg']

/** Pictures that show the company; they come with the product and follow the name, number, colour and logo of the settings. */
export const brandPictures = [...shares, ...Object.keys(icons), ...tabIcons]

/** As built, or as they are in the sources. */
const folder = [join(process.cwd(), 'build/site/client'), join(process.cwd(), 'public')].find((one) => existsSync(one)) ?? ''

const findDrawn = createDrawnPictures(2 * brandPictures.length)

/** The pictures for shared links and home screens. */
export const brandPictureRoutes: Routes = async (app) => {
  for (const file of brandPictures) {
    app.get(`/${file}`, { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
      if (!findFacts()) return sendFile(request, reply, folder, file, cached)
      const picture = await findPicture(app.db, file)
      // Not before: a failure to draw must not be cached.
      return reply
        .type(file.endsWith('.svg') ? 'image/svg+xml' : 'image/png')
        .header('cache-control', cached)
        .send(picture)
    })
  }
}

const cached = 'public, max-age=3600'

/** What the pictures show, also where it changes before they are drawn. */
const factsOf = ({ name, phones, colour, logo }: typeof company) => ({ name, number: phones.tollFree.display, colour, logo })
type Facts = ReturnType<typeof factsOf>

function findPicture(db: Database, file: string) {
  const facts = factsOf(company)
  return findDrawn(JSON.stringify([file, facts]), () => drawFile(db, file, facts))
}

async function drawFile(db: Database, file: string, facts: Facts) {
  const logo = facts.logo ? await findLogo(db, facts.logo) : null
  if (tabIcons.includes(file)) return drawTabIcon(file, logo, facts)
  const icon = Object.entries(icons).find(([name]) => name === file)?.[1]
  return icon ? drawIcon(icon, logo, facts) : drawShare(file, logo, facts)
}

async function drawIcon({ size, margin }: { size: number; margin: number }, logo: Buffer | null, { colour }: Facts) {
  const inner = Math.round(size * (1 - 2 * margin))
  if (logo) {
    const mark = await draw('fitLogo', logo, { width: inner, height: inner, fit: 'inside' })
    return draw('drawPng', ground(size, size, '#ffffff'), [{ input: mark.data }])
  }
  const base = colour ?? colors.ink
  const sign = `<g transform="translate(${size * margin} ${size * margin}) scale(${inner / 32})"><path fill="${colors.paper}" d="M5 27V14a11 11 0 0 1 22 0v13h2v3H3v-3z"/><path fill="${base}" d="M9 27V14a7 7 0 0 1 14 0v13z"/><circle cx="16" cy="15" r="4" fill="${colors.lamp}"/></g>`
  return draw('drawPng', ground(size, size, base, sign))
}

/** The logo with the lamp at its lower right; without a logo the product's sign in the company's colour. */
async function drawTabIcon(file: string, logo: Buffer | null, { colour = colors.ink }: Facts) {
  const sign = await readFile(join(folder, file), 'utf8')
  if (!logo) return Buffer.from(sign.replace(/#14213d/i, colour))
  const mark = await draw('fitLogo', logo, { width: 128, height: 128, fit: 'contain', background: '#fff0' })
  const png = await draw('drawPng', mark.data)
  const lamp = lampsOfTab[file]
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#fff"/><image width="28" height="28" x="2" y="2" href="data:image/png;base64,${png.toString('base64')}"/>${lamp ? `<g transform="translate(24 24)"><circle r="8" fill="#fff"/>${lamp}</g>` : ''}</svg>`,
  )
}

/** The shapes of the lamp (design: one per state), large enough for a tab. */
const lampsOfTab: Record<string, string | undefined> = {
  'favicon-busy.svg':
    '<circle r="5.5" fill="#faf7f1" stroke="#a86a00" stroke-width="2"/><path fill="#ffb224" stroke="#a86a00" stroke-width="2" d="M0-5.5a5.5 5.5 0 0 1 0 11z"/>',
  'favicon-closed.svg': '<circle r="5" fill="#fff" stroke="#6f6a5e" stroke-width="3"/>',
  'favicon-emergency.svg':
    '<circle r="7" fill="#b3261e"/><path stroke="#fff" stroke-width="2.4" stroke-linecap="round" d="M0-3.8v4.2m0 3.4v.1"/>',
}

/** The picture that comes with the product, with the name, the number and the logo drawn over its own. */
async function drawShare(file: string, logo: Buffer | null, { name, number, colour = colors.brand }: Facts) {
  const mark = logo && (await draw('fitLogo', logo, { width: 260, height: 76, fit: 'inside' }))
  const start = mark ? 64 + mark.width + 18 : 146
  const fit = (text: string, size: number, room: number) => Math.min(size, (size * room) / Math.max(1, measureText(text, size)))
  // Left of the drawing, which begins at 616.
  const texts = `<path fill="${colors.paper}" d="M${mark ? 56 : 140} 44H612v96H${mark ? 56 : 140}zM56 496H612v64H56z"/>
${writeText(name, fit(name, 46, 600 - start), start, 112, colors.ink)}${writeText(number, fit(number, 40, 530), 64, 540, colour)}`
  const over = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630">${texts}</svg>`)
  const layers = [{ input: over, left: 0, top: 0 }, ...(mark ? [{ input: mark.data, left: 64, top: 56 }] : [])]
  return draw('drawPng', await readFile(join(folder, file)), layers)
}

const ground = (width: number, height: number, fill: string, over = '') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><path fill="${fill}" d="M0 0h${width}v${height}H0z"/>${over}</svg>`,
  )
