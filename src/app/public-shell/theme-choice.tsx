import { useEffect, useRef } from 'react'
import { useTexts } from '#src/ui/language.tsx'
import { texts } from '#src/ui/page/site-texts.ts'
import type { Theme } from '#src/ui/page/preferences.ts'

const choices = [
  { theme: 'light', text: 'themeLight' },
  { theme: 'dark', text: 'themeDark' },
  { theme: 'auto', text: 'themeAuto' },
] as const

type ThemeChoiceProps = { theme: Theme; onTheme: (theme: Theme) => void }

/** Radio buttons: the browser itself remembers a choice that is made before the script comes. */
export function ThemeChoice({ theme, onTheme }: ThemeChoiceProps) {
  const t = useTexts(texts)
  const group = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const chosen = group.current?.querySelector<HTMLInputElement>(':checked')?.value as Theme
    if (chosen !== theme) onTheme(chosen)
  })
  return (
    <div ref={group} role="radiogroup" aria-label={t('theme')} className="needs-script flex flex-wrap items-center gap-1">
      <span aria-hidden="true" className="me-2 text-ink-2">
        {t('theme')}
      </span>
      {choices.map((choice) => (
        <label
          key={choice.theme}
          className="relative flex min-h-8 cursor-pointer items-center rounded-full px-3 font-bold outline-offset-2 outline-brand hover:underline has-checked:bg-ink has-checked:text-paper has-focus-visible:outline-3"
        >
          <input
            type="radio"
            name="theme"
            value={choice.theme}
            checked={theme === choice.theme}
            // The browser would bring back an older choice with the history.
            autoComplete="off"
            onChange={() => onTheme(choice.theme)}
            className="sr-only"
          />
          <span>{t(choice.text)}</span>
        </label>
      ))}
    </div>
  )
}
