import type { ResizeOptions } from 'sharp'
import sharp from 'sharp'
import { logoHeight, longestLogo, photoWidths } from '#src/lib/image-sizes.ts'

/* Runs in a process of its own (picture-worker.ts), as what it decodes is hostile until proven otherwise. */

const maxPixels = 40_000_000
/** Timeout of one decoding or encoding in sharp's own thread. */
const timeout = { seconds: 30 }
/** Longest side of a re-encoded picture, at which a screenshot stays readable. */
const redrawnSide = 3_000
/** Background of transparent pictures. */
const ground = '#e6edfb'
/** Widest picture of a text. */
const textWidth = 1_600

sharp.concurrency(1)
sharp.cache(false)

const read = (bytes: Buffer) => sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true })

/** The copies of a photo in each width, as AVIF and JPEG. A drawing of few colours needs no effort. */
async function drawPhoto(bytes: Buffer, effort = 3) {
  const largest = Math.max(...photoWidths)
  // `rotate` applies the EXIF orientation before the metadata is dropped.
  const picture = read(bytes)
  const { autoOrient } = await picture.metadata()
  const scale = largest / Math.min(autoOrient.width, autoOrient.height)
  const [width, height] = [autoOrient.width, autoOrient.height].map((side) => Math.max(largest, Math.round(side * scale))) as [
    number,
    number,
  ]
  // Matches `object-position: 50% 20%` of the pages: in a portrait the head is above the middle.
  const square = {
    left: Math.round((width - largest) / 2),
    top: Math.round((height - largest) / 5),
    width: largest,
    height: largest,
  }
  const { data, info } = await picture
    .timeout(timeout)
    .rotate()
    .resize(width, height, { fit: 'fill' })
    .extract(square)
    .flatten({ background: ground })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const copies = []
  for (const width of photoWidths) {
    const copy = () =>
      sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
        .timeout(timeout)
        .resize(width, width)
    copies.push({ width, format: 'avif' as const, bytes: await copy().avif({ quality: 55, effort }).toBuffer() })
    copies.push({ width, format: 'jpeg' as const, bytes: await copy().jpeg({ quality: 80, mozjpeg: true }).toBuffer() })
  }
  return copies
}

/** Encodes a picture again from its pixels, which drops everything else in its bytes (location, scripts, appended files). */
function redraw(bytes: Buffer, format: 'jpeg' | 'png') {
  const picture = read(bytes)
    .timeout(timeout)
    .rotate()
    .resize(redrawnSide, redrawnSide, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
  return format === 'png'
    ? picture.png({ compressionLevel: 9 }).toBuffer()
    : picture.flatten({ background: '#ffffff' }).jpeg({ quality: 82, mozjpeg: true }).toBuffer()
}

const jpegSizes = {
  text: { width: textWidth, height: redrawnSide, fit: 'inside', withoutEnlargement: true },
  share: { width: 1_200, height: 630, fit: 'cover' },
} satisfies Record<string, ResizeOptions>

/** The picture of a text, or of a shared link, as one JPEG. */
async function drawJpeg(bytes: Buffer, purpose: keyof typeof jpegSizes) {
  const { data, info } = await read(bytes)
    .timeout(timeout)
    .rotate()
    .resize(jpegSizes[purpose])
    .toColourspace('srgb')
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 82, mozjpeg: true })
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** Room around a logo on its white plate, which keeps it readable on any ground. */
const logoMargin = 8

/** A logo, PNG or SVG, on a white plate. */
async function drawLogo(bytes: Buffer, isDrawing: boolean) {
  const box = { width: longestLogo - 2 * logoMargin, height: logoHeight - 2 * logoMargin }
  const { width, height } = await sharp(bytes, { limitInputPixels: maxPixels }).metadata()
  // An SVG is drawn at the size of the box, not enlarged from its own.
  const scale = Math.min(box.width / width, box.height / height)
  const density = isDrawing ? Math.min(2_400, Math.max(1, 72 * scale)) : 72
  const mark = await sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', density })
    .timeout(timeout)
    .resize({ ...box, fit: 'inside' })
    .toColourspace('srgb')
    .png()
    .toBuffer({ resolveWithObject: true })
  const whole = Math.max(mark.info.width + 2 * logoMargin, logoHeight)
  const plate = `<svg xmlns="http://www.w3.org/2000/svg" width="${whole}" height="${logoHeight}"><rect width="${whole}" height="${logoHeight}" rx="12" fill="#fff"/></svg>`
  const data = await sharp(Buffer.from(plate))
    .composite([{ input: mark.data, gravity: 'centre' }])
    .png({ compressionLevel: 9 })
    .toBuffer()
  return { data, width: whole }
}

/** A stored logo within a size. */
async function fitLogo(png: Buffer, size: ResizeOptions) {
  const { data, info } = await sharp(png).resize(size).png().toBuffer({ resolveWithObject: true })
  return { data, width: info.width }
}

/** A picture of few colours, with others over it: in its middle, or from `left` and `top` on. */
function drawPng(picture: Buffer, over: { input: Buffer; left?: number; top?: number }[] = []) {
  return sharp(picture).composite(over).png({ palette: true, effort: 7 }).toBuffer()
}

export const drawings = { drawPhoto, redraw, drawJpeg, drawLogo, fitLogo, drawPng }
