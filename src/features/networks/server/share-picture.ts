import sharp from 'sharp'
import { company } from '#company/company.ts'
import type { Language } from '#src/lib/language/language.ts'
import { pickText } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import type { Reader } from '#src/server/cache/content-cache.ts'
import { statusDrawings } from '#src/ui/components/status-drawings.ts'
import type { Incident, Network } from '../contract.ts'
import { nameTouched } from '../status-html.ts'
import { statusTexts } from '../status-texts.ts'
import { findPublished } from './overview.ts'
import { readNetworks } from './service.ts'
import stored from './share-outlines.json' with { type: 'json' }

const colors = {
  paper: '#faf7f1',
  ink: '#14213d',
  ink2: '#4a5670',
  lamp: '#ffb224',
  OK: '#15703f',
  WARNING: '#a04c00',
  ERROR: '#b3261e',
}
const outlines = new Map(Object.entries(stored.outlines as unknown as Record<string, [advance: number, path: string]>))
const margin = 72
const width = 1_200 - 2 * margin

/** Drawn pictures by their drawing; drawing takes a tenth of a second, so the same one is never drawn twice, nor two at once. */
const drawn = new Map<string, Promise<Buffer>>()
const mostDrawn = 100
let last: Promise<unknown> = Promise.resolve()

/** The picture that links to an outage show elsewhere, in one language. */
export async function findSharePicture(reader: Reader, id: number, language: Language): Promise<Buffer> {
  const [incident, networks] = await Promise.all([findPublished(reader, id), readNetworks(reader)])
  const svg = drawSvg(incident, networks, language)
  let picture = drawn.get(svg)
  if (!picture) {
    picture = last.then(() => sharp(Buffer.from(svg)).png({ palette: true, effort: 7 }).toBuffer())
    last = picture.catch(() => drawn.delete(svg))
  }
  drawn.delete(svg)
  drawn.set(svg, picture)
  if (drawn.size > mostDrawn) drawn.delete(drawn.keys().next().value ?? '')
  return picture
}

function drawSvg(incident: Incident, networks: readonly Network[], language: Language) {
  const t = translator(statusTexts, language)
  const status = incident.resolved_at ? 'OK' : incident.severity
  const { shape, mark } = statusDrawings[status]
  const title = wrap(pickText(language, incident.title, incident.title_en), 72, 3)
  const touched = wrap(nameTouched(incident, networks, language).join(', '), 34, title.length > 2 ? 1 : 2)
  const titleEnd = 220 + title.length * 84
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630">
<path fill="${colors.paper}" d="M0 0h1200v630H0z"/><path fill="${colors[status]}" d="M0 0h24v630H0z"/><path fill="${colors.lamp}" d="M24 606h1176v24H24z"/>
${writeText(company.name, 34, margin, 92, colors.ink2)}
${writeText(t('outage', { number: incident.number }), 34, 1_200 - margin - measureText(t('outage', { number: incident.number }), 34), 92, colors.ink2)}
${title.map((line, index) => writeText(line, 72, margin, 220 + index * 84, colors.ink)).join('')}
${touched.map((line, index) => writeText(line, 34, margin, titleEnd - 10 + index * 44, colors.ink2)).join('')}
<g transform="translate(${margin} 506) scale(2.3)" stroke-linecap="round" stroke-linejoin="round"><path fill="${colors[status]}" stroke="${colors[status]}" stroke-width="2" d="${shape}"/><path fill="none" stroke="${colors.paper}" stroke-width="2.5" d="${mark}"/></g>
${writeText(t(incident.phase), 44, margin + 76, 550, colors[status])}
</svg>`
}

const advanceOf = (letter: string) => (outlines.get(letter) ?? outlines.get(' '))?.[0] ?? 0
/** Width of a text in the product’s font, bold. */
export const measureText = (text: string, size: number) =>
  ([...text].reduce((sum, letter) => sum + advanceOf(letter), 0) * size) / stored.unitsPerEm

/** Text as outlines: what the font does not have is left out, and nothing of the text reaches the SVG itself. */
export function writeText(text: string, size: number, x: number, y: number, color: string) {
  const scale = size / stored.unitsPerEm
  let pen = 0
  const glyphs = [...text].map((letter) => {
    const path = outlines.get(letter)?.[1] ?? ''
    const place = path && `<path transform="translate(${pen} 0)" d="${path}"/>`
    pen += advanceOf(letter)
    return place
  })
  return `<g fill="${color}" transform="translate(${x} ${y}) scale(${scale} ${-scale})">${glyphs.join('')}</g>`
}

/** Lines that fit the picture; what is longer ends with an ellipsis. */
function wrap(text: string, size: number, mostLines: number) {
  const fits = (line: string) => measureText(line, size) <= width
  const lines: string[] = []
  for (const word of text.trim().split(/\s+/)) {
    const line = lines.at(-1)
    if (line !== undefined && fits(`${line} ${word}`)) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  const shown = lines.slice(0, mostLines)
  return shown.map((line, index) => {
    const isCut = index === mostLines - 1 && lines.length > mostLines
    const letters = [...line]
    if (fits(line) && !isCut) return line
    while (letters.length > 0 && !fits(`${letters.join('')}…`)) letters.pop()
    return `${letters.join('').trimEnd()}…`
  })
}
