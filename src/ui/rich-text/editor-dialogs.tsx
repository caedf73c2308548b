import type { KeyboardEvent } from 'react'
import { useEffect, useState } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { failureOf, failureTexts } from '../forms/failures.ts'
import { TextField } from '../forms/field.tsx'
import { useTexts } from '../language.tsx'
import type { Upload } from '../uploads/upload.ts'
import { CloseQuestion } from '../uploads/close-question.tsx'
import { StoppedUpload, UploadBar } from '../uploads/upload-bar.tsx'
import { useFileUpload } from '../uploads/use-upload.ts'
import { editorTexts } from './editor-texts.ts'
import { completeLink } from './links.ts'

export type LinkDraft = {
  address: string
  /** Null where the link is applied to the selected text. */
  text: string | null
  isNew: boolean
}

type LinkDialogProps = {
  draft: LinkDraft
  onSet: (address: string, text: string | null) => void
  onRemove: () => void
  onClose: () => void
}

export function LinkDialog({ draft, onSet, onRemove, onClose }: LinkDialogProps) {
  const t = useTexts(editorTexts)
  const [address, setAddress] = useState(draft.address)
  const [text, setText] = useState(draft.text)
  const [isWrong, setWrong] = useState(false)
  const handleSet = () => {
    const complete = completeLink(address)
    if (complete) onSet(complete, text)
    else setWrong(true)
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // Enter would submit the form around the editor.
    event.preventDefault()
    handleSet()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('linkTitle')}
      actions={
        <>
          {!draft.isNew && (
            <Button variant="danger" onClick={onRemove}>
              {t('removeLink')}
            </Button>
          )}
          <Button variant="secondary" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button onClick={handleSet}>{t(draft.isNew ? 'insertLink' : 'changeLink')}</Button>
        </>
      }
    >
      <div className="grid gap-5">
        <TextField
          label={t('linkAddress')}
          hint={t('linkHint')}
          error={isWrong ? t('linkWrong') : null}
          value={address}
          maxLength={2000}
          autoComplete="off"
          onChange={(event) => {
            setAddress(event.target.value)
            setWrong(false)
          }}
          onKeyDown={handleKey}
        />
        {text !== null && (
          <TextField
            label={t('linkText')}
            optional
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={handleKey}
          />
        )}
      </div>
    </Dialog>
  )
}

type PictureDialogProps = {
  /** A picture that was pasted or dropped. */
  given: File | null
  createUpload: (file: File) => Upload<StoredPicture>
  onAdd: (picture: StoredPicture, alt: string) => void
  onClose: () => void
}

export type StoredPicture = { url: string; width: number; height: number }

/** Chooses a picture and describes it, for those who do not see it. */
export function PictureDialog({ given, createUpload, onAdd, onClose }: PictureDialogProps) {
  const t = useTexts(editorTexts)
  const f = useTexts(failureTexts)
  const [file, setFile] = useState(given)
  const [alt, setAlt] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [isClosing, setClosing] = useState(false)
  const { progress, send, stop, stopped, forget } = useFileUpload<StoredPicture>()
  const busy = progress !== null
  const handleAdd = async () => {
    if (!file) return setProblem(t('chooseFirst'))
    setProblem(null)
    try {
      const stored = await send(() => createUpload(file))
      if (stored) onAdd(stored, alt.trim())
    } catch (error) {
      console.error(error)
      setProblem(f(failureOf(error)))
    }
  }
  const handleClose = busy ? () => setClosing(true) : onClose
  return (
    <>
      <Dialog
        open
        isHeld={busy}
        onClose={handleClose}
        title={t('pictureTitle')}
        actions={
          <>
            <Button variant="secondary" onClick={handleClose}>
              {t('cancel')}
            </Button>
            <Button busy={busy} onClick={() => void handleAdd()}>
              {t('insertPicture')}
            </Button>
          </>
        }
      >
        <div className="grid gap-5">
          {given && file === given && <ShownFile file={given} />}
          <TextField
            label={t('pictureFile')}
            hint={t('pictureHint')}
            error={problem}
            type="file"
            accept="image/jpeg,image/png,image/webp,image/avif"
            onChange={(event) => {
              setFile(event.target.files?.[0] ?? given)
              setProblem(null)
              forget()
            }}
          />
          {progress && <UploadBar name={file?.name ?? ''} progress={progress} onStop={stop} />}
          {stopped && <StoppedUpload upload={stopped} onResume={() => void handleAdd()} />}
          <TextField
            label={t('pictureAlt')}
            hint={t('pictureAltHint')}
            value={alt}
            maxLength={300}
            autoComplete="off"
            onChange={(event) => setAlt(event.target.value)}
          />
        </div>
      </Dialog>
      <CloseQuestion
        open={isClosing && busy}
        onCancel={() => setClosing(false)}
        onConfirm={() => {
          stop()
          forget()
          onClose()
        }}
      />
    </>
  )
}

/** The pasted picture, which the file field cannot show. */
function ShownFile({ file }: { file: File }) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return <img src={address} alt="" className="max-w-full rounded-field" style={{ maxHeight: '12rem', justifySelf: 'start' }} />
}
