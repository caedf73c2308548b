// Draws the pictures for shared links, one per language, and the icons for home screens. Run it by hand (`npm run pictures`)
// after the company's name, phone number or logo changed; writes the font of the first load too.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fontkit from 'fontkit'
import sharp from 'sharp'
import subsetFont from 'subset-font'
import { company } from '#company/company.ts'
import { sharingTexts } from '#company/sharing.ts'
import type { Language } from '../src/lib/language/language.ts'
import { languages } from '../src/lib/language/language.ts'

const root = join(import.meta.dirname, '..')
const fontFile =
  'node_modules/@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2'
const colors = { paper: '#faf7f1', ink: '#14213d', ink2: '#4a5670', brand: '#1746a2', soft: '#e6edfb', lamp: '#ffb224' }

await writeFont()
await writeOutlines()
const heavy = await openFont(800)
const plain = await openFont(500)
for (const language of languages) await drawShare(language)
for (const size of [180, 192, 512]) await drawIcon(`icon-${size}.png`, size, 0.14)
// A phone may cut a maskable icon into any shape: what matters stays in the middle.
await drawIcon('icon-maskable-512.png', 512, 0.24)
for (const size of [192, 512]) await drawIcon(`admin-icon-${size}.png`, size, 0.14, 'admin')
await drawIcon('admin-icon-maskable-512.png', 512, 0.24, 'admin')
await drawBadge('admin-badge-96.png', 96)

async function drawShare(language: Language) {
  const { slogan: lines, foot } = sharingTexts[language]
  // The SVG contains the lamp lit and unlit for the color scheme; here it is lit.
  const counter = readFileSync(join(root, 'src/ui/illustrations/counter.svg'), 'utf8').replaceAll(/<path class="off"[^>]*>/g, '')
  const scene = await sharp(Buffer.from(counter), { density: 110 }).resize(528, 495).png().toBuffer()
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630">
    <path fill="${colors.paper}" d="M0 0h1200v630H0z"/>
    <path fill="${colors.soft}" d="M616 0h584v630H616z"/>
    <path fill="${colors.lamp}" d="M0 606h1200v24H0z"/>
    <path stroke="${colors.ink}" stroke-width="3.3" d="M1104.7 0v112m33-112v112"/>
    <g transform="translate(64 60) scale(2.1)">${mark(colors.ink, colors.paper)}</g>
    ${write(heavy, company.name, 146, 112, 46, colors.ink)}
    ${lines.map((line, index) => write(heavy, line, 64, 238 + index * 70, 64, colors.ink)).join('')}
    ${write(plain, foot, 64, 466, 23, colors.ink2)}
    ${write(heavy, company.phones.tollFree.display, 64, 540, 40, colors.brand)}
  </svg>`
  await sharp(Buffer.from(svg))
    .composite([{ input: scene, left: 646, top: 111 }])
    .png({ palette: true, quality: 90, effort: 10 })
    .toFile(join(root, 'public', `share-${language}.png`))
}

/** The icon of the administration is on amber, that of the site on ink, since both may be on one home screen. */
async function drawIcon(name: string, size: number, margin: number, of: 'site' | 'admin' = 'site') {
  const isSite = of === 'site'
  const [frame, ground] = isSite ? [colors.paper, colors.ink] : [colors.ink, colors.lamp]
  const scale = (size * (1 - 2 * margin)) / 32
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">
    <path fill="${ground}" d="M0 0h${size}v${size}H0z"/>
    <g transform="translate(${size * margin} ${size * margin}) scale(${scale})">${mark(frame, ground, isSite ? colors.lamp : colors.ink)}</g>
  </svg>`
  await sharp(Buffer.from(svg))
    .png({ palette: true, effort: 10 })
    .toFile(join(root, 'public', name))
}

/** Icon of status bars, of which the system shows the shape only. */
async function drawBadge(name: string, size: number) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 32 32">
    <path fill="#fff" fill-rule="evenodd" d="M5 27V14a11 11 0 0 1 22 0v13h2v3H3v-3zM9 27V14a7 7 0 0 1 14 0v13z"/><circle cx="16" cy="15" r="4" fill="#fff"/>
  </svg>`
  await sharp(Buffer.from(svg))
    .png({ effort: 10 })
    .toFile(join(root, 'public', name))
}

function mark(frame: string, ground: string, lamp = colors.lamp) {
  return `<path fill="${frame}" d="M5 27V14a11 11 0 0 1 22 0v13h2v3H3v-3z"/><path fill="${ground}" d="M9 27V14a7 7 0 0 1 14 0v13z"/><circle cx="16" cy="15" r="4" fill="${lamp}"/>`
}

/** Text as outlines, so that the picture does not depend on installed fonts. */
function write(font: fontkit.Font, text: string, x: number, y: number, size: number, color: string) {
  const scale = size / font.unitsPerEm
  const { glyphs, positions } = font.layout(text)
  let pen = 0
  const outlines = glyphs.map((glyph, index) => {
    const place = `<path transform="translate(${pen + (positions[index]?.xOffset ?? 0)} 0)" d="${glyph.path.toSVG()}"/>`
    pen += positions[index]?.xAdvance ?? 0
    return place
  })
  return `<g fill="${color}" transform="translate(${x} ${y}) scale(${scale} ${-scale})">${outlines.join('')}</g>`
}

/** The letters of `fonts.css` that French and English are written with. */
function readLetters() {
  const sheet = readFileSync(join(root, 'src/ui/styles/fonts.css'), 'utf8')
  const ranges = sheet.split('unicode-range:').at(-1)?.split(';')[0] ?? ''
  return [...ranges.matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/g)].flatMap(([, first = '', last = first]) => {
    const [from, to] = [Number.parseInt(first, 16), Number.parseInt(last, 16)]
    return Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index))
  })
}

/** Outlines of the letters, with which the server writes the pictures of outages: no font has to be installed there. */
async function writeOutlines() {
  const letters = readLetters()
  const ttf = await subsetFont(readFileSync(join(root, fontFile)), letters.join(''), {
    targetFormat: 'truetype',
    variationAxes: { wght: 700 },
  })
  const font = fontkit.create(ttf) as fontkit.Font
  const outlines: Record<string, [advance: number, path: string]> = {}
  for (const letter of letters) {
    const code = letter.codePointAt(0) ?? 0
    if (!font.hasGlyphForCodePoint(code)) continue
    const glyph = font.glyphForCodePoint(code)
    outlines[letter] = [glyph.advanceWidth, glyph.path.toSVG()]
  }
  const file = join(root, 'src/features/content/server/share-outlines.json')
  writeFileSync(file, `${JSON.stringify({ unitsPerEm: font.unitsPerEm, outlines }, null, 2)}\n`)
}

/** The font of the first load, in the weights that are used. */
async function writeFont() {
  const font = await subsetFont(readFileSync(join(root, fontFile)), readLetters().join(''), {
    targetFormat: 'woff2',
    variationAxes: { wght: { min: 400, max: 800 } },
  })
  writeFileSync(join(root, 'src/ui/styles/atkinson-french-english.woff2'), font)
}

async function openFont(weight: number) {
  const letters = Object.values(sharingTexts).flatMap(({ slogan, foot }) => [...slogan, foot])
  const text = [company.name, company.phones.tollFree.display, ...letters].join('')
  const ttf = await subsetFont(readFileSync(join(root, fontFile)), text, {
    targetFormat: 'truetype',
    variationAxes: { wght: weight },
  })
  return fontkit.create(ttf) as fontkit.Font
}
