import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { Dialog } from '../components/dialog.tsx'
import { useTexts } from '../language.tsx'
import { LoadingOverlay } from '../components/loading-overlay.tsx'
import { StatusCard } from '../components/status-card.tsx'
import { Toast } from '../components/toast.tsx'
import { galleryTexts } from './gallery-texts.ts'
import { Row, Section } from './section.tsx'

type Answer = 'success' | 'error' | null

export function GalleryBehaviour() {
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
