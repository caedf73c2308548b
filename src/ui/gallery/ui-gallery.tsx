import { useState } from 'react'
import { useTexts } from '../language.tsx'
import { galleryTexts } from './gallery-texts.ts'
import { GalleryControls } from './controls.tsx'
import { GalleryFoundations } from './foundations.tsx'
import { GalleryPieces } from './pieces.tsx'
import { Button } from '../components/button.tsx'
import { Pagination } from '../components/pagination.tsx'
import { StatusText } from '../components/status-icon.tsx'
import { Table } from '../components/table.tsx'
import { Section, Row } from './section.tsx'
import { Card } from '../components/card.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { Dialog } from '../components/dialog.tsx'
import { LoadingOverlay } from '../components/loading-overlay.tsx'
import { StatusCard } from '../components/status-card.tsx'
import { Toast } from '../components/toast.tsx'

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

function GalleryTable() {
  const t = useTexts(galleryTexts)
  const rows = [
    { name: t('fibre'), english: 'Quebec fibre', status: 'OK', word: t('ok') },
    { name: t('telephony'), english: 'IP telephony', status: 'WARNING', word: t('warning') },
  ] as const
  return (
    <Section title={t('table')}>
      <Table
        caption={t('table')}
        rows={rows}
        rowKey={(row) => row.english}
        columns={[
          { header: t('element'), cell: (row) => row.name, isRowHeader: true },
          { header: t('elementEn'), cell: (row) => row.english },
          { header: t('status'), cell: (row) => <StatusText status={row.status} label={row.word} /> },
        ]}
        actions={{
          header: t('actions'),
          cell: () => (
            <Button variant="danger" size="small">
              {t('danger')}
            </Button>
          ),
        }}
      />
      <Pagination page={2} count={7} to={(page) => `/ui?page=${page}`} />
    </Section>
  )
}

type Answer = 'success' | 'error' | null

function GalleryBehaviour() {
  const t = useTexts(galleryTexts)
  const [open, setOpen] = useState<'dialog' | 'confirm' | null>(null)
  const [answer, setAnswer] = useState<Answer>(null)
  const [covered, setCovered] = useState(false)
  return (
    <Section title={t('dialogs')}>
      <Row>
        <Button onClick={() => setOpen('dialog')}>{t('openDialog')}</Button>
        <Button variant="danger" onClick={() => setOpen('confirm')}>
          {t('openConfirm')}
        </Button>
        <Button variant="secondary" onClick={() => setAnswer('success')}>
          {t('showSuccess')}
        </Button>
        <Button variant="secondary" onClick={() => setAnswer('error')}>
          {t('showError')}
        </Button>
        <Button variant="secondary" onClick={() => setCovered((before) => !before)}>
          {t('showOverlay')}
        </Button>
      </Row>
      <StatusCard status="success">{t('saved')}</StatusCard>
      <StatusCard status="error">{t('failed')}</StatusCard>
      <LoadingOverlay busy={covered}>
        <Card>
          <p className="pb-16">{t('card')}</p>
        </Card>
      </LoadingOverlay>
      <Dialog
        open={open === 'dialog'}
        onClose={() => setOpen(null)}
        title={t('dialogTitle')}
        actions={<Button onClick={() => setOpen(null)}>{t('secondary')}</Button>}
      >
        {t('dialogText')}
      </Dialog>
      <ConfirmDialog open={open === 'confirm'} onConfirm={() => setOpen(null)} onCancel={() => setOpen(null)} />
      <Toast status={answer} onHide={() => setAnswer(null)}>
        {answer === 'success' ? t('saved') : t('failed')}
      </Toast>
    </Section>
  )
}
