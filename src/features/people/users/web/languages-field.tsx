import { useId } from 'react'
import type { Language } from '#src/lib/language/language.ts'
import { languages } from '#src/lib/language/language.ts'
import { useTexts } from '#src/ui/language.tsx'
import { userTexts } from '../admin-texts.ts'

type LanguagesFieldProps = {
  value: readonly Language[]
  error?: string | null
  className?: string
  onChange: (value: Language[]) => void
}

/** The languages in which a person serves visitors, one at least. */
export function LanguagesField({ value, error = null, className = '', onChange }: LanguagesFieldProps) {
  const t = useTexts(userTexts)
  const id = useId()
  return (
    <fieldset className={className} aria-describedby={error ? `${id}-hint ${id}-error` : `${id}-hint`}>
      <legend className="font-bold">{t('languages')}</legend>
      <p id={`${id}-hint`} className="field-hint">
        {t('languagesHint')}
      </p>
      <div className="mt-2 flex flex-wrap gap-x-6 gap-y-2">
        {languages.map((language) => (
          <label key={language} className="flex min-h-8 items-center gap-2">
            <input
              type="checkbox"
              name="languages"
              className="size-5 accent-brand"
              checked={value.includes(language)}
              aria-invalid={error ? true : undefined}
              onChange={({ target }) =>
                onChange(languages.filter((one) => (one === language ? target.checked : value.includes(one))))
              }
            />
            <span>{t(language)}</span>
          </label>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
    </fieldset>
  )
}
