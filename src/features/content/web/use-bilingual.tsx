import type { ReactNode } from 'react'
import type { EnglishOlder } from '#src/lib/language/english-older.ts'
import { locales } from '#src/lib/language/language.ts'
import { Button } from '#src/ui/components/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { entryTexts } from '../entry-texts.ts'
import { EnglishBadge, englishStateOf, FrenchBadge } from './english-badge.tsx'

type Reviewable = { english_reviewed?: string[] }
type Form<Values> = { values: Values; stored: Values; change: (next: Partial<Values>) => void }
type FieldMarks = { lang: string; badge: ReactNode; hint?: ReactNode }

/** For bilingual forms: the props (language, badge, hint) of the French and the English field of a pair. */
export function useBilingual<Values extends Reviewable>(form: Form<Values>, isNew: boolean, older: EnglishOlder = {}) {
  const e = useTexts(entryTexts)
  const { values, stored, change } = form
  const reviewed = values.english_reviewed ?? []
  const wordsOf = (from: Values, french: keyof Values, english: keyof Values) => ({
    french: String(from[french] ?? ''),
    english: String(from[english] ?? ''),
  })

  return (french: keyof Values & string, english: keyof Values & string): Record<'french' | 'english', FieldMarks> => {
    const before = isNew ? null : wordsOf(stored, french, english)
    const state = englishStateOf(wordsOf(values, french, english), before, older[french], reviewed.includes(french))
    const confirm = () => change({ english_reviewed: [...reviewed, french] } as Partial<Values>)
    return {
      french: { lang: locales.fr, badge: <FrenchBadge /> },
      english: {
        lang: locales.en,
        badge: <EnglishBadge state={state} olderSince={older[french]} />,
        hint: state === 'older' && (
          <Button variant="link" onClick={confirm}>
            {e('stillRight')}
          </Button>
        ),
      },
    }
  }
}
