import type { ReactNode } from 'react'

type BadgeProps = { tone?: 'brand' | 'ok' | 'warn' | 'err' | 'neutral' | 'count'; children: ReactNode }

/** A short label or a count. */
export function Badge({ tone = 'brand', children }: BadgeProps) {
  return <span className={tone === 'brand' ? 'badge' : `badge badge-${tone}`}>{children}</span>
}
