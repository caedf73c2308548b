import type { ReactNode } from 'react'
import { useEffect, useId, useRef, useState } from 'react'
import { CloseIcon } from './icons.tsx'
import { IconButton } from './icon-button.tsx'
import { defineTexts } from '#src/lib/language/texts.ts'
import { useTexts } from '../language.tsx'
import { texts } from '../texts.ts'
import { Button } from './button.tsx'

type DialogProps = {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
  /** Buttons at the foot, the main one last. */
  actions?: ReactNode
  /** It stays until `open` is false: `onClose` asks first. */
  isHeld?: boolean
  /** Uses the full width, for two columns. */
  wide?: boolean
  /** `alertdialog` for a question that must be answered. */
  role?: 'dialog' | 'alertdialog'
}

/** The native modal dialog: it traps the focus, closes on Escape and restores the focus. */
export function Dialog({ open, onClose, title, children, actions, isHeld = false, wide = false, role = 'dialog' }: DialogProps) {
  const t = useTexts(texts)
  const titleId = useId()
  const bodyId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const isQuestion = role === 'alertdialog'
  const [closings, setClosings] = useState(0)

  useEffect(() => {
    const element = dialog.current
    if (!element || element.open === open) return
    if (!open) return element.close()
    element.showModal()
    // The browser focuses the close button, which comes first, unless a field asks for the focus.
    if (!element.querySelector('[autofocus]')) element.querySelector<HTMLElement>(':is(input, select, textarea):enabled')?.focus()
  }, [open, closings])

  return (
    <dialog
      ref={dialog}
      className={wide ? 'dialog dialog-wide' : 'dialog'}
      role={role}
      aria-labelledby={titleId}
      aria-describedby={isQuestion && !wide ? bodyId : undefined}
      onCancel={(event) => {
        // That of a file field inside bubbles.
        if (!isHeld || event.target !== dialog.current) return
        event.preventDefault()
        onClose()
      }}
      onClose={() => {
        // Closed by the browser, which asks once only; when the page closed it, `open` is already false.
        if (!open) return
        setClosings(closings + 1)
        onClose()
      }}
      onClick={(event) => {
        if (!isQuestion && event.target === dialog.current && isOutside(event, dialog.current)) onClose()
      }}
    >
      <div className="flex items-start justify-between gap-4 px-6 pt-5">
        <h2 id={titleId} className="text-2xl">
          {title}
        </h2>
        {!isQuestion && <IconButton label={t('close')} icon={<CloseIcon />} onClick={onClose} className="-mt-1 -me-3" />}
      </div>
      {wide ? (
        // Scrolls by itself, so that its beginning is visible first; it can be scrolled with the arrow keys.
        <div className="dialog-body px-6 pt-3 pb-6" role="group" aria-labelledby={titleId} tabIndex={0}>
          {children}
        </div>
      ) : (
        <div id={bodyId} className="px-6 pt-3 pb-6">
          {children}
        </div>
      )}
      {actions && <div className="flex flex-wrap justify-end gap-3 border-t border-line px-6 py-4">{actions}</div>}
    </dialog>
  )
}

function isOutside(event: { clientX: number; clientY: number }, element: Element) {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return event.clientX < left || event.clientX > right || event.clientY < top || event.clientY > bottom
}

export const confirmTexts = defineTexts({
  fr: {
    confirmTitle: 'Confirmer l’opération',
    confirmQuestion: 'Êtes-vous sûr? Cette opération est irréversible.',
    confirm: 'Oui, continuer',
    cancel: 'Annuler',
  },
  en: {
    confirmTitle: 'Confirm',
    confirmQuestion: 'Are you sure? This operation is irreversible.',
    confirm: 'Yes, continue',
    cancel: 'Cancel',
  },
})

type ConfirmDialogProps = {
  open: boolean
  onConfirm: () => void
  onCancel: () => void
  /** Title that names what will be deleted. */
  title?: string
  /** What follows from the action, and how it is undone; `final` where nothing undoes it. */
  consequence: string | 'final'
  /** What else the decision needs: what is concerned, and choices. */
  children?: ReactNode
  /** Label of the button, when it can be more exact than "continue". */
  confirmLabel?: string
  busy?: boolean
}

/** Asks for confirmation before a destructive action; only a final one is called irreversible. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, onConfirm, onCancel, title, consequence, children, confirmLabel, busy } = props
  const t = useTexts(confirmTexts)
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
      <div>{children}</div>
      <p>{consequence === 'final' ? t('confirmQuestion') : consequence}</p>
    </Dialog>
  )
}
