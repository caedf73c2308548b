import { Button } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { texts } from '../texts.ts'

type UndoDialogProps = {
  /** What would come back; null where nothing is asked. */
  name: string | null
  onCancel: () => void
  onConfirm: () => void
}

export function UndoDialog({ name, onCancel, onConfirm }: UndoDialogProps) {
  const t = useTexts(texts)
  return (
    <Dialog
      open={name !== null}
      onClose={onCancel}
      role="alertdialog"
      title={t('undoTitle', { name: name ?? '' })}
      actions={
        <>
          <Button variant="secondary" onClick={onCancel}>
            {t('cancel')}
          </Button>
          <Button onClick={onConfirm}>{t('putBack')}</Button>
        </>
      }
    >
      <p>{t('undoQuestion')}</p>
    </Dialog>
  )
}
