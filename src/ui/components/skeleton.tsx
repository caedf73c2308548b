import { useTexts } from '../language.tsx'
import { texts } from '../texts.ts'

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
