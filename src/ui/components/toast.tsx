import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Link } from './link.tsx'
import { StatusCard } from './status-card.tsx'
import { useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { useTexts } from '../language.tsx'
import { texts } from '../texts.ts'
import { defineTexts } from '#src/lib/language/texts.ts'

export const savedTexts = defineTexts({
  fr: {
    saved: 'Sauvegardé avec succès',
    created: 'Créé avec succès',
    deleted: 'Effacé avec succès',
    restored: 'Restauré avec succès',
    open: 'Ouvrir « {name} »',
  },
  en: {
    saved: 'Saved successfully',
    created: 'Created successfully',
    deleted: 'Deleted successfully',
    restored: 'Restored successfully',
    open: 'Open “{name}”',
  },
})

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
    <div className="toast pointer-events-none fixed inset-x-4 z-30 flex justify-center">
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

/** What was saved: its name, and where it is opened. */
export type SavedEntry = { name: string; path: string }

type More = {
  entry?: SavedEntry | undefined
  /** What is still to be done. */
  text?: string
  /** A button, for instance to undo. */
  action?: ReactNode
  /** Why the button failed, instead of the notice. */
  failure?: string | undefined
}

let shown: ({ notice: Notice | 'deleted' | 'restored' } & More) | null = null
const listeners = new Set<() => void>()

/**
 * Shows the notice on the current and the next page, with a link to what was saved where it is not that page. With a text or a
 * button it stays until it is closed.
 */
export function showSavedNotice(notice: Notice | 'deleted' | 'restored' = 'saved', more: More = {}) {
  set({ notice, ...more })
}

/** Hides the notice when another save starts. */
export function hideSavedNotice() {
  set(null)
}

/** Rendered by the administration's layout, because the form that saved is often unmounted by then. */
export function SavedNotice() {
  const t = useTexts(savedTexts)
  const { notice, entry, text, action, failure } = useSyncExternalStore(subscribe, read, read) ?? {}
  const { pathname } = useLocation()
  return (
    <Toast
      status={notice ? (failure ? 'error' : 'success') : null}
      action={action ?? (text && <span />)}
      onHide={hideSavedNotice}
    >
      {notice && <span>{failure ?? t(notice)}</span>}
      {text && <strong className="block">{text}</strong>}
      {entry && entry.path !== pathname && (
        <>
          <span>{'. '}</span>
          <Link to={entry.path} className="font-bold wrap-anywhere underline">
            {t('open', { name: entry.name })}
          </Link>
        </>
      )}
    </Toast>
  )
}

const read = () => shown

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
