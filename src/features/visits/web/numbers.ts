import { locales } from '#src/lib/language/language.ts'
import { useLanguage } from '#src/ui/language.tsx'

/** Of fewer than these no percentage is shown: one more would change it too much. */
const fewest = 50

/** Numbers in the language of the page. */
export function useNumbers() {
  const language = useLanguage()
  const whole = new Intl.NumberFormat(locales[language])
  const percent = new Intl.NumberFormat(locales[language], { style: 'percent', maximumFractionDigits: 0 })
  return {
    number: (value: number) => whole.format(value),
    percent: (part: number, all: number) => (all < fewest ? null : percent.format(part / all)),
    /** With its sign; null where there is too little to compare. */
    change(now: number, then: number) {
      if (then < fewest) return null
      const sign = now < then ? '\u2212' : '+'
      return `${sign}\u00a0${percent.format(Math.abs(now - then) / then)}`
    },
  }
}
