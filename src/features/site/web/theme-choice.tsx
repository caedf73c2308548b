import { useTexts } from '#src/ui/language.tsx'
import { texts } from '../texts.ts'
import type { Theme } from './preferences.ts'

const choices = [
  { theme: 'light', text: 'themeLight' },
  { theme: 'dark', text: 'themeDark' },
  { theme: 'auto', text: 'themeAuto' },
] as const

type ThemeChoiceProps = { theme: Theme; onTheme: (theme: Theme) => void }

export function ThemeChoice({ theme, onTheme }: ThemeChoiceProps) {
  const t = useTexts(texts)
  return (
    <div role="group" aria-label={t('theme')} className="needs-script flex flex-wrap items-center gap-1">
      <span aria-hidden="true" className="mr-2 text-ink-2">
        {t('theme')}
      </span>
      {choices.map((choice) => (
        <button
          key={choice.theme}
          type="button"
          aria-pressed={theme === choice.theme}
          className="min-h-8 rounded-full px-3 font-bold hover:underline aria-pressed:bg-ink aria-pressed:text-paper"
          onClick={() => onTheme(choice.theme)}
        >
          {t(choice.text)}
        </button>
      ))}
    </div>
  )
}
