import type { ReactNode } from 'react'

/** A status light with its text: on while the thing is open or available. */
export function Lamp({ on, children, className = '' }: { on: boolean; children: ReactNode; className?: string }) {
  return (
    <span className={`inline-flex items-baseline gap-3 ${className}`}>
      <span className={`lamp ${on ? '' : 'lamp-off'}`} aria-hidden="true" />
      <span>{children}</span>
    </span>
  )
}
