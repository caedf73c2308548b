import type { ReactNode } from 'react'
import { useState } from 'react'
import { Button } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import type { Failure } from '#src/ui/forms/failures.ts'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { useTexts } from '#src/ui/language.tsx'
import { adminHomeTexts } from '../admin-texts.ts'

type EditInPlaceProps = {
  title: string
  /** The page shows a draft that is not published. */
  isEdited: boolean
  /** `anyway` overwrites what another user published in the meantime. */
  onPublish: (anyway: boolean) => Promise<void>
  onDrop: () => void
  /** The fields, which change the page as they are filled. */
  children: ReactNode
}

/** A strip under what it edits, for staff: Modifier, and once something changed Publier and Abandonner. */
export function EditInPlace({ title, isEdited, onPublish, onDrop, children }: EditInPlaceProps) {
  const t = useTexts(adminHomeTexts)
  const f = useTexts(failureTexts)
  const [isOpen, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Failure | 'published' | null>(null)
  const isConflict = outcome === 'conflict'

  const handlePublish = async () => {
    setBusy(true)
    setOutcome(null)
    try {
      await onPublish(isConflict)
      setOutcome('published')
    } catch (error) {
      console.warn(error)
      setOutcome(failureOf(error))
    } finally {
      setBusy(false)
    }
  }
  const handleDrop = () => {
    setOutcome(null)
    onDrop()
  }

  return (
    <section
      aria-label={t('editOf', { title })}
      className="my-4 rounded-card border-2 border-dashed border-edge px-5 py-3 print:hidden"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="grow text-sm text-ink-2">
          <strong className="text-ink">{title}</strong>
          <span>{` · ${t(isEdited ? 'onlyHere' : 'asPublished')}`}</span>
        </p>
        <Button variant="secondary" size="small" aria-label={t('editOf', { title })} onClick={() => setOpen(true)}>
          {t('edit')}
        </Button>
        {isEdited && (
          <>
            <Button variant="secondary" size="small" onClick={handleDrop}>
              {t('drop')}
            </Button>
            <Button size="small" busy={busy} onClick={() => void handlePublish()}>
              {t(isConflict ? 'publishAnyway' : 'publish')}
            </Button>
          </>
        )}
      </div>
      <p role="alert" className={outcome === 'published' ? 'text-sm text-ok' : 'text-sm font-bold text-err'}>
        {[outcome && (outcome === 'published' ? t('published') : f(outcome)), isConflict && t('afterConflict')]
          .filter(Boolean)
          .join(' ')}
      </p>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={title}
        actions={<Button onClick={() => setOpen(false)}>{t('showInPage')}</Button>}
      >
        {isOpen && children}
      </Dialog>
    </section>
  )
}
