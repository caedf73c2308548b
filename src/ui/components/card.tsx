import type { ReactNode } from 'react'

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
