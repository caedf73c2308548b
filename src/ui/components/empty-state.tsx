import type { ReactNode } from 'react'

type EmptyStateProps = {
  title: string
  children?: ReactNode
  action?: ReactNode
  picture?: ReactNode
  /** `h1` where it replaces the whole page. */ heading?: 'p' | 'h1'
}

/** Shown instead of an empty list: what is empty, and what to do next. */
export function EmptyState({ title, children, action, picture, heading: Heading = 'p' }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-3 rounded-card border-2 border-dashed border-line px-6 py-10 text-center">
      {picture}
      <Heading className="text-xl font-extrabold">{title}</Heading>
      {children && <div className="max-w-prose text-ink-2">{children}</div>}
      {action && <div className="mt-2 flex flex-wrap justify-center gap-3">{action}</div>}
    </div>
  )
}
