import type { ReactNode } from 'react'
import { StatusCard } from './status-card.tsx'

type ToastProps = { status: 'success' | 'error' | null; children?: ReactNode; onHide: () => void }

/** A `StatusCard` fixed at the bottom of the page, so that nothing moves. */
export function Toast({ status, children, onHide }: ToastProps) {
  return (
    <div className="pointer-events-none fixed inset-x-4 bottom-4 z-30 flex justify-center">
      <div className="pointer-events-auto max-w-xl rounded-card shadow-float">
        <StatusCard status={status} onHide={onHide}>
          {children}
        </StatusCard>
      </div>
    </div>
  )
}
