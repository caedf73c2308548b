import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { StatusIcon } from './status-icon.tsx'

/** Milliseconds that the answer to a form stays in sight. */
export const statusCardTime = 10_000

type StatusCardProps = {
  /** Null while there is nothing to say; the region itself must stay in the page to be announced. */
  status: 'success' | 'error' | null
  children?: ReactNode
  /** Called when it has been shown long enough. */
  onHide?: () => void
}

/** Says what came of a form or a save, in a live region. */
export function StatusCard({ status, children, onHide }: StatusCardProps) {
  useEffect(() => {
    if (!status || !onHide) return
    const timer = setTimeout(onHide, statusCardTime)
    return () => clearTimeout(timer)
  }, [status, onHide])

  return (
    <div role="status">
      {status && (
        <div className={`flex items-start gap-3 rounded-card px-5 py-4 ${status === 'success' ? 'bg-ok-soft' : 'bg-err-soft'}`}>
          <StatusIcon status={status === 'success' ? 'OK' : 'ERROR'} />
          <div className="grow">{children}</div>
        </div>
      )}
    </div>
  )
}
