import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { useTexts } from '../language.tsx'
import { texts } from '../texts.ts'

type ConfirmDialogProps = {
  open: boolean
  onConfirm: () => void
  onCancel: () => void
  /** Title that names what will be deleted. */
  title?: string
  /** Label of the button, when it can be more exact than "continue". */
  confirmLabel?: string
  busy?: boolean
}

/** Asks for confirmation before an irreversible action. The cancel button has the focus. */
export function ConfirmDialog({ open, onConfirm, onCancel, title, confirmLabel, busy }: ConfirmDialogProps) {
  const t = useTexts(texts)
  return (
    <Dialog
      open={open}
      onClose={onCancel}
      role="alertdialog"
      title={title ?? t('confirmTitle')}
      actions={
        <>
          <Button variant="secondary" onClick={onCancel}>
            {t('cancel')}
          </Button>
          <Button variant="danger" busy={busy} onClick={onConfirm}>
            {confirmLabel ?? t('confirm')}
          </Button>
        </>
      }
    >
      <p>{t('confirmQuestion')}</p>
    </Dialog>
  )
}
