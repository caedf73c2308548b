import type { ReactNode } from 'react'

type PageHeaderProps = { title: ReactNode; lead?: ReactNode; actions?: ReactNode }

/** The head of an inner page of the public site. */
export function PageHeader({ title, lead, actions }: PageHeaderProps) {
  return (
    <div className="grid gap-4 pt-12 pb-8 md:pt-16">
      <h1>{title}</h1>
      {lead && <p className="max-w-prose text-lg text-ink-2">{lead}</p>}
      {actions && <div className="mt-2 flex flex-wrap gap-3">{actions}</div>}
    </div>
  )
}
