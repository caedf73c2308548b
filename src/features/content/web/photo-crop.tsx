import type { PointerEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { photoTexts } from '../texts.ts'

type PhotoCropProps = { photo: ImageBitmap; onUse: (dataUrl: string) => void; onClose: () => void }

/** The visible square: `zoom` 1 is the largest one; `x` and `y` are its place, from 0 to 1. */
type Crop = { zoom: number; x: number; y: number }

const mostZoom = 4
/** In a portrait the head is above the middle. */
const start: Crop = { zoom: 1, x: 0.5, y: 0.2 }
/** Side in pixels of the photo that is sent; the largest copy has half of it. */
const largest = 1_280
/** Below this side, in pixels, a photo is blurred on the page of a person. */
const sharpSide = 320
const previewSide = 480
/** Background of transparent pictures, as on the server. */
const ground = '#e6edfb'

/** Chooses the square that is shown of a photo, by dragging it or by the sliders, and reduces it to a JPEG. */
export default function PhotoCrop({ photo, onUse, onClose }: PhotoCropProps) {
  const t = useTexts(photoTexts)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [crop, setCrop] = useState(start)
  const { side, slackX, slackY } = measure(photo, crop)
  const isSmall = side < sharpSide

  useEffect(() => {
    if (canvas.current) draw(canvas.current, photo, crop)
  }, [photo, crop])

  const handleMove = (event: PointerEvent<HTMLCanvasElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const scale = side / event.currentTarget.clientWidth
    const move = (place: number, pixels: number, slack: number) => (slack > 0 ? clamp(place - (pixels * scale) / slack) : place)
    const { movementX, movementY } = event
    setCrop((now) => ({ ...now, x: move(now.x, movementX, slackX), y: move(now.y, movementY, slackY) }))
  }
  const handleUse = () => {
    const sent = document.createElement('canvas')
    sent.width = Math.min(largest, Math.round(side))
    sent.height = sent.width
    draw(sent, photo, crop)
    onUse(sent.toDataURL('image/jpeg', 0.9))
  }
  const sliderOf = (key: keyof Crop) => ({
    value: crop[key],
    onChange: (place: number) => setCrop({ ...crop, [key]: place }),
  })

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('cropTitle')}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            {t('cropCancel')}
          </Button>
          <Button onClick={handleUse}>{t('cropUse')}</Button>
        </>
      }
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <div className="grid content-start justify-items-center gap-3">
          <canvas
            ref={canvas}
            role="img"
            aria-label={t('cropPreview')}
            width={previewSide}
            height={previewSide}
            className="max-w-full rounded-full outline-2 outline-line"
            style={{ width: '15rem', cursor: 'grab', touchAction: 'none' }}
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={handleMove}
          />
          <p className="field-hint">{t('cropHint')}</p>
        </div>
        <div className="grid content-start gap-3">
          <Slider label={t('cropZoom')} min={1} max={mostZoom} {...sliderOf('zoom')} />
          <Slider label={t('cropX')} isOff={slackX === 0} {...sliderOf('x')} />
          <Slider label={t('cropY')} isOff={slackY === 0} {...sliderOf('y')} />
        </div>
      </div>
      <p role="status" className="mt-4 min-h-6 font-bold">
        {isSmall && <span>{t('photoSmall', { size: `${Math.round(side)} × ${Math.round(side)}` })}</span>}
      </p>
    </Dialog>
  )
}

type SliderProps = {
  label: string
  value: number
  onChange: (value: number) => void
  min?: number
  max?: number
  isOff?: boolean
}

function Slider({ label, value, onChange, min = 0, max = 1, isOff = false }: SliderProps) {
  return (
    <label className="grid gap-1">
      <span>{label}</span>
      <input
        type="range"
        className="min-h-11 w-full accent-brand"
        min={min}
        max={max}
        step={0.01}
        value={value}
        disabled={isOff}
        onChange={(event) => onChange(Number(event.target.value))}
      />
    </label>
  )
}

const clamp = (place: number) => Math.min(1, Math.max(0, place))

/** The visible square and what is left beside it, in pixels of the photo. */
function measure({ width, height }: ImageBitmap, { zoom }: Crop) {
  const side = Math.min(width, height) / zoom
  return { side, slackX: width - side, slackY: height - side }
}

function draw(canvas: HTMLCanvasElement, photo: ImageBitmap, crop: Crop) {
  const context = canvas.getContext('2d')
  if (!context) throw new Error('the browser gives no canvas')
  const { side, slackX, slackY } = measure(photo, crop)
  context.fillStyle = ground
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(photo, slackX * crop.x, slackY * crop.y, side, side, 0, 0, canvas.width, canvas.height)
}
