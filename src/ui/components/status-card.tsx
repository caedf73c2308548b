import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { StatusIcon } from './status-icon.tsx'

/** How long the result of a form is shown, in milliseconds. */
export const statusCardTime = 10_000

type StatusCardProps = {
  /** Null while empty; the live region must stay in the page to be announced. */
  status: 'success' | 'error' | null
  children?: ReactNode
  /** Called when the time is over. */
  onHide?: () => void
}

/** Shows the result of a form or a save in a live region. */
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
