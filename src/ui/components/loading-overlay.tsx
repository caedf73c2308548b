import type { ReactNode } from 'react'
import { useLayoutEffect, useRef } from 'react'
import { Loading } from './loading.tsx'

type LoadingOverlayProps = { busy: boolean; label?: string; children: ReactNode }

/** Covers content while a call changes it, and makes it inert. */
export function LoadingOverlay({ busy, label, children }: LoadingOverlayProps) {
  const covered = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = covered.current
    if (!busy || !element) return
    const focused = document.activeElement
    const isCovered = focused instanceof HTMLElement && element.contains(focused)
    element.setAttribute('inert', '')
    return () => {
      element.removeAttribute('inert')
      // Restore the focus that the overlay took.
      if (isCovered && document.activeElement === document.body) focused.focus()
    }
  }, [busy])
  return (
    <div className="relative" aria-busy={busy}>
      <div ref={covered}>{children}</div>
      {busy && (
        <div className="overlay">
          <Loading label={label} />
        </div>
      )}
    </div>
  )
}
