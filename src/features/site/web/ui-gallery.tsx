import { useTexts } from '#src/ui/language.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { galleryTexts } from '../gallery-texts.ts'
import { GalleryBehaviour } from './gallery/behaviour.tsx'
import { GalleryControls } from './gallery/controls.tsx'
import { GalleryFoundations } from './gallery/foundations.tsx'
import { GalleryPieces } from './gallery/pieces.tsx'
import { GalleryTable } from './gallery/table.tsx'

/** `/ui`, in development only: every component in every state. */
export default function UiGallery() {
  const t = useTexts(galleryTexts)
  return (
    <div className="wrap">
      <PageHeader title={t('title')} lead={t('lead')} />
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
