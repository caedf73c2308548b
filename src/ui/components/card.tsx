import type { ReactNode } from 'react'
import { ChevronIcon } from './icons.tsx'

type CardProps = { children: ReactNode; className?: string }

export function Card({ children, className = 'p-6' }: CardProps) {
  return <div className={`card ${className}`}>{children}</div>
}

type TicketProps = { stub: ReactNode; children: ReactNode; className?: string }

/** A card like a ticket: a stub above the dotted line, the content below it. */
export function Ticket({ stub, children, className = '' }: TicketProps) {
  return (
    <div className={`card flex flex-col ${className}`}>
      <div className="ticket-stub flex items-center justify-between gap-4 px-6 py-4">{stub}</div>
      <div className="flex grow flex-col px-6 pt-5 pb-6">{children}</div>
    </div>
  )
}

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
