import { company } from '#company/company.ts'
import type { Language } from '#src/lib/language/language.ts'
import type { App } from '#src/server/types.ts'
import { createDrawnPictures } from './drawn-pictures.ts'
import { draw } from './picture-process.ts'
import stored from './share-outlines.json' with { type: 'json' }

/* The pictures of 1200 by 630 pixels that links to an entry show elsewhere. */

/** The entries of a feature that have such a picture; `find` throws `NotFound` of an entry that no visitor sees. */
export type SharePictures = {
  kind: 'job' | 'person' | 'article' | 'incident'
  find: (app: App, id: number, language: Language) => Promise<ShareCard>
}

/** What such a picture shows; `color` is that of its edge, and `foot` and `sign` stand below. */
export type ShareCard = {
  label: string
  title: string
  lines: string[]
  color?: string
  foot?: string
  /** SVG of 24 by 24 before the foot. */
  sign?: string
}

export const shareColors = { paper: '#faf7f1', ink: '#14213d', ink2: '#4a5670', brand: '#1746a2', lamp: '#ffb224' }
const outlines = new Map(Object.entries(stored.outlines as unknown as Record<string, [advance: number, path: string]>))
const margin = 72
const width = 1_200 - 2 * margin

const findDrawn = createDrawnPictures(100)

export function drawShareCard(card: ShareCard): Promise<Buffer> {
  const svg = drawSvg(card)
  return findDrawn(svg, () => draw('drawPng', Buffer.from(svg)))
}

function drawSvg({ label, title, lines, color = company.colour ?? shareColors.brand, foot, sign }: ShareCard) {
  const titleLines = wrap(title, 72, 3)
  const below = wrap(lines.filter(Boolean).join(', '), 34, titleLines.length > 2 ? 1 : 2)
  const titleEnd = 220 + titleLines.length * 84
  const footStart = sign ? margin + 76 : margin
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630">
<path fill="${shareColors.paper}" d="M0 0h1200v630H0z"/><path fill="${color}" d="M0 0h24v630H0z"/><path fill="${shareColors.lamp}" d="M24 606h1176v24H24z"/>
${writeText(company.name, 34, margin, 92, shareColors.ink2)}
${writeText(label, 34, 1_200 - margin - measureText(label, 34), 92, shareColors.ink2)}
${titleLines.map((line, index) => writeText(line, 72, margin, 220 + index * 84, shareColors.ink)).join('')}
${below.map((line, index) => writeText(line, 34, margin, titleEnd - 10 + index * 44, shareColors.ink2)).join('')}
${sign ? `<g transform="translate(${margin} 506) scale(2.3)" stroke-linecap="round" stroke-linejoin="round">${sign}</g>` : ''}
${writeText(foot ?? company.phones.tollFree.display, 44, footStart, 550, color)}
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
  if (text.trim() === '') return []
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
