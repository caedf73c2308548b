import type { ReactNode } from 'react'
import { useEffect, useId, useRef } from 'react'
import { CloseIcon } from './icons.tsx'
import { IconButton } from './icon-button.tsx'
import { useTexts } from '../language.tsx'
import { texts } from '../texts.ts'

type DialogProps = {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
  /** Buttons at the foot, the main one last. */
  actions?: ReactNode
  /** Takes the room there is, for two things side by side. */
  wide?: boolean
  /** `alertdialog` for a question that must be answered. */
  role?: 'dialog' | 'alertdialog'
}

/** The browser's own modal dialog: it holds the focus, hides the rest, closes on Escape and gives the focus back. */
export function Dialog({ open, onClose, title, children, actions, wide = false, role = 'dialog' }: DialogProps) {
  const t = useTexts(texts)
  const titleId = useId()
  const bodyId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const isQuestion = role === 'alertdialog'

  useEffect(() => {
    const element = dialog.current
    if (!element || element.open === open) return
    if (open) element.showModal()
    else element.close()
  }, [open])

  return (
    <dialog
      ref={dialog}
      className={wide ? 'dialog dialog-wide' : 'dialog'}
      role={role}
      aria-labelledby={titleId}
      aria-describedby={isQuestion && !wide ? bodyId : undefined}
      onClose={() => {
        // Closed by the visitor; where the page closed it, it knows already.
        if (open) onClose()
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
        // Scrolled by itself, so that its beginning is what is seen first; the arrows scroll it.
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
