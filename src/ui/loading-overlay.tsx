import type { ReactNode } from 'react'
import { Loading } from './loading.tsx'

type LoadingOverlayProps = { busy: boolean; label?: string; children: ReactNode }

/** Covers what a call is changing; what is under it cannot be reached meanwhile. */
export function LoadingOverlay({ busy, label, children }: LoadingOverlayProps) {
  return (
    <div className="relative" aria-busy={busy}>
      <div inert={busy}>{children}</div>
      {busy && (
        <div className="overlay">
          <Loading label={label} />
        </div>
      )}
    </div>
  )
}
