import { useTexts } from '../language.tsx'
import { Spinner } from './spinner.tsx'
import { texts } from '../texts.ts'

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
