import type { ReactNode } from 'react'
import { AlertIcon } from './icons.tsx'

type BannerProps = {
  /** `alarm` is the red emergency banner; `notice` is yellow. */
  tone?: 'alarm' | 'notice'
  /** Names the region for screen readers. */
  label: string
  children: ReactNode
  action?: ReactNode
}

export function Banner({ tone = 'alarm', label, children, action }: BannerProps) {
  return (
    <section aria-label={label} className={tone === 'alarm' ? 'bg-alarm text-on-alarm' : 'bg-lamp text-on-lamp'}>
      <div className="wrap flex flex-col gap-x-6 gap-y-3 py-4 font-bold md:flex-row md:items-center">
        <AlertIcon size={24} className="flex-none" />
        <div className="grow">{children}</div>
        {action}
      </div>
    </section>
  )
}
