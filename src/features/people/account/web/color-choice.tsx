import { useTexts } from '#src/ui/language.tsx'
import { profileTexts } from '../profile-texts.ts'

type ColorChoiceProps = { colors: string[]; value: string; onChange: (color: string) => void; className?: string }

/** Radio buttons that show a message bubble in their colour. */
export function ColorChoice({ colors, value, onChange, className = '' }: ColorChoiceProps) {
  const t = useTexts(profileTexts)
  return (
    <fieldset className={className}>
      <legend className="mb-2 font-bold">{t('color')}</legend>
      <div className="flex flex-wrap gap-4">
        {colors.map((color, index) => (
          <label key={color} className="flex min-h-8 items-center gap-2">
            <input
              type="radio"
              name="color"
              className="size-5 accent-brand"
              checked={value === color}
              onChange={() => onChange(color)}
            />
            <svg width="34" height="24" viewBox="0 0 34 24" aria-hidden="true">
              <path d="M8 0h18a8 8 0 0 1 8 8v16H8a8 8 0 0 1-8-8V8a8 8 0 0 1 8-8z" fill={color} />
              <path d="M8 9h18M8 15h11" stroke="#fff" strokeWidth="2" strokeLinecap="round" />
            </svg>
            <span className="sr-only">{t('colorName', { number: index + 1 })}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
