import { useTexts } from '../language.tsx'
import { galleryTexts } from './gallery-texts.ts'
import { GalleryBehaviour } from './behaviour.tsx'
import { GalleryControls } from './controls.tsx'
import { GalleryFoundations } from './foundations.tsx'
import { GalleryPieces } from './pieces.tsx'
import { GalleryTable } from './table.tsx'

/** `/ui`, in development only: every component in every state. */
export default function UiGallery() {
  const t = useTexts(galleryTexts)
  return (
    <div className="wrap">
      <h1 className="pt-12">{t('title')}</h1>
      <p className="max-w-prose py-8 text-lg text-ink-2">{t('lead')}</p>
      <div className="grid gap-16">
        <GalleryFoundations />
        <GalleryControls />
        <GalleryPieces />
        <GalleryTable />
        <GalleryBehaviour />
      </div>
    </div>
  )
}
