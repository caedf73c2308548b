import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { StatusCard } from './status-card.tsx'
import { useSyncExternalStore } from 'react'
import { useTexts } from '../language.tsx'
import { texts } from '../texts.ts'

type ToastProps = {
  status: 'success' | 'error' | null
  children?: ReactNode
  /** A button, for which there is no hurry: the toast stays until it is closed. */
  action?: ReactNode
  onHide: () => void
}

/** A `StatusCard` fixed at the bottom of the page, so that nothing moves. */
export function Toast({ status, children, action, onHide }: ToastProps) {
  const t = useTexts(texts)
  return (
    <div className="toast pointer-events-none fixed inset-x-4 bottom-4 z-30 flex justify-center">
      <div className="pointer-events-auto max-w-xl rounded-card shadow-float">
        <StatusCard status={status} onHide={action ? undefined : onHide}>
          {action ? (
            <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
              <span>{children}</span>
              <span>{action}</span>
              <Button variant="link" onClick={onHide}>
                {t('close')}
              </Button>
            </span>
          ) : (
            children
          )}
        </StatusCard>
      </div>
    </div>
  )
}

/** Outcome of a save. */
export type Notice = 'saved' | 'created'

let shown: Notice | 'deleted' | null = null
const listeners = new Set<() => void>()

/** Shows the notice on the current and the next page. */
export function showSavedNotice(notice: Notice | 'deleted' = 'saved') {
  set(notice)
}

/** Hides the notice when another save starts. */
export function hideSavedNotice() {
  set(null)
}

/** Rendered by the administration's layout, because the form that saved is often unmounted by then. */
export function SavedNotice() {
  const t = useTexts(texts)
  const notice = useSyncExternalStore(subscribe, () => shown)
  return (
    <Toast status={notice ? 'success' : null} onHide={hideSavedNotice}>
      {notice && t(notice)}
    </Toast>
  )
}

function set(next: typeof shown) {
  shown = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
