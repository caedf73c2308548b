import { ConfirmDialog } from '../components/dialog.tsx'
import { useTexts } from '../language.tsx'
import { uploadTexts } from './upload-texts.ts'

type CloseQuestionProps = { open: boolean; onCancel: () => void; onConfirm: () => void }

/** Asks whoever closes a window that sends a file. */
export function CloseQuestion(props: CloseQuestionProps) {
  const t = useTexts(uploadTexts)
  return <ConfirmDialog {...props} title={t('underWay')} consequence={t('closeQuestion')} confirmLabel={t('stopAndClose')} />
}
