import type { ReactNode } from 'react'
import { ChevronIcon } from './icons.tsx'

type DisclosureProps = {
  title: ReactNode
  children: ReactNode
  open?: boolean
  /** Panels with the same name: only one is open at a time. */
  name?: string
}

/** A collapsible panel; it works without JavaScript. */
export function Disclosure({ title, children, open, name }: DisclosureProps) {
  return (
    <details className="panel" open={open} name={name}>
      <summary>
        <span>{title}</span>
        <ChevronIcon className="panel-sign" />
      </summary>
      <div className="pb-5 text-ink-2">{children}</div>
    </details>
  )
}
