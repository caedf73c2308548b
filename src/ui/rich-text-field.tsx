import { lazy, Suspense, useId } from 'react'
import { useTexts } from './language.tsx'
import type { FieldProps } from './field.tsx'
import { Skeleton } from './skeleton.tsx'
import { StatusIcon } from './status-icon.tsx'
import { texts } from './texts.ts'

const RichTextEditor = lazy(async () => ({ default: (await import('./rich-text-editor/editor.tsx')).RichTextEditor }))

type RichTextFieldProps = FieldProps & { lang: string; value: string; onChange: (html: string) => void }

/** A field of rich text; the editor loads when the first one is shown. */
export function RichTextField({
  label,
  hint,
  error,
  badge,
  optional,
  className = '',
  lang,
  value,
  onChange,
}: RichTextFieldProps) {
  const t = useTexts(texts)
  const id = useId()
  const errorId = `${id}-error`
  const hintId = `${id}-hint`
  const markId = `${id}-mark`
  const hasMark = optional || Boolean(badge)
  const described = [error && errorId, hasMark && markId, hint && hintId].filter(Boolean).join(' ')
  return (
    <div className={`field ${className}`}>
      <div className="field-label">
        <span>{label}</span>
        {hasMark && (
          <span id={markId} className="contents">
            {optional && <span className="font-normal text-ink-2">({t('optional')})</span>}
            {badge}
          </span>
        )}
      </div>
      <Suspense fallback={<Skeleton className="h-60 w-full" />}>
        <RichTextEditor
          lang={lang}
          value={value}
          onChange={onChange}
          attributes={{
            id,
            'aria-label': label,
            ...(described && { 'aria-describedby': described }),
            ...(error && { 'aria-invalid': 'true' }),
          }}
        />
      </Suspense>
      {error && (
        <p id={errorId} className="field-error">
          <StatusIcon status="ERROR" size={18} label={t('error')} className="mt-0.5" />
          {error}
        </p>
      )}
      {hint && (
        <div id={hintId} className="field-hint">
          {hint}
        </div>
      )}
    </div>
  )
}
