import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
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

/** Shows the result of a form or a save in a live region; while it is pointed at or focused, its time does not run. */
export function StatusCard({ status, children, onHide }: StatusCardProps) {
  const [isPointed, setPointed] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const isHeld = isPointed || isFocused
  useEffect(() => {
    if (!status) {
      // What leaves the page under the pointer or the focus announces neither.
      setPointed(false)
      setFocused(false)
    }
    if (!status || !onHide || isHeld) return
    const timer = setTimeout(onHide, statusCardTime)
    return () => clearTimeout(timer)
  }, [status, onHide, isHeld])

  return (
    <div
      role="status"
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      {status && (
        <div className={`flex items-start gap-3 rounded-card px-5 py-4 ${status === 'success' ? 'bg-ok-soft' : 'bg-err-soft'}`}>
          <StatusIcon status={status === 'success' ? 'OK' : 'ERROR'} />
          <div className="grow">{children}</div>
        </div>
      )}
    </div>
  )
}
