import { useTexts } from '../language.tsx'
import { Spinner } from './spinner.tsx'
import { texts } from '../texts.ts'
import type { ReactNode } from 'react'
import { useLayoutEffect, useRef } from 'react'

/** Spinner with a text. */
export function Loading({ label }: { label?: string }) {
  const t = useTexts(texts)
  return (
    <p role="status" className="flex items-center gap-3 py-8 text-ink-2">
      <Spinner className="text-brand" />
      <span>{label ?? t('loading')}</span>
    </p>
  )
}

type LoadingOverlayProps = { busy: boolean; label?: string; children: ReactNode }

/** Covers content while a call changes it, and makes it inert. */
export function LoadingOverlay({ busy, label, children }: LoadingOverlayProps) {
  const covered = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = covered.current
    if (!busy || !element) return
    const focused = document.activeElement
    const isCovered = focused instanceof HTMLElement && element.contains(focused)
    element.setAttribute('inert', '')
    return () => {
      element.removeAttribute('inert')
      // Restore the focus that the overlay took.
      if (isCovered && document.activeElement === document.body) focused.focus()
    }
  }, [busy])
  return (
    <div className="relative" aria-busy={busy}>
      <div ref={covered}>{children}</div>
      {busy && (
        <div className="overlay">
          <Loading label={label} />
        </div>
      )}
    </div>
  )
}

/** Placeholder of loading content; set its size by `className`. */
export function Skeleton({ className = 'h-4 w-full' }: { className?: string }) {
  return <span className={`skeleton block ${className}`} aria-hidden="true" />
}

type SkeletonListProps = { count?: number; className?: string }

/** Several of them, announced once. */
export function SkeletonList({ count = 3, className = 'h-24 w-full' }: SkeletonListProps) {
  const t = useTexts(texts)
  return (
    <div role="status" className="grid gap-4">
      <span className="sr-only">{t('loading')}</span>
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} className={className} />
      ))}
    </div>
  )
}
