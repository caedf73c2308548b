import type { ReactNode } from 'react'
import type { EnglishOlder } from '#src/lib/language/english-older.ts'
import { locales } from '#src/lib/language/language.ts'
import { Button } from '#src/ui/components/button.tsx'
import { useTexts, useLanguage } from '#src/ui/language.tsx'
import { entryTexts } from '../texts.ts'
import { isBlankHtml } from '#src/lib/text/html-text.ts'
import { Badge } from '#src/ui/components/badge.tsx'

type Reviewable = { english_reviewed?: string[] }
type Form<Values> = { values: Values; stored: Values; change: (next: Partial<Values>) => void }
type FieldMarks = { lang: string; badge: ReactNode; hint?: ReactNode }

/** For bilingual forms: the props (language, badge, hint) of the French and the English field of a pair. */
export function useBilingual<Values extends Reviewable>(form: Form<Values>, isNew: boolean, older: EnglishOlder = {}) {
  const e = useTexts(entryTexts)
  const { values, stored, change } = form
  const reviewed = values.english_reviewed ?? []
  const pairOf = (from: Values, french: keyof Values, english: keyof Values) => ({
    french: String(from[french] ?? ''),
    english: String(from[english] ?? ''),
  })

  return (french: keyof Values & string, english: keyof Values & string): Record<'french' | 'english', FieldMarks> => {
    const before = isNew ? null : pairOf(stored, french, english)
    const state = englishStateOf(pairOf(values, french, english), before, older[french], reviewed.includes(french))
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

type EnglishState = 'current' | 'missing' | 'older'

type TextPair = { french: string; english: string }

/** State of an English field compared to the French one, with the current form values. */
export function englishStateOf(
  now: TextPair,
  stored: TextPair | null,
  olderSince: string | undefined,
  isReviewed: boolean,
): EnglishState {
  if (isBlankHtml(now.french)) return 'current'
  if (isBlankHtml(now.english)) return 'missing'
  if (isReviewed || !stored || now.english !== stored.english) return 'current'
  return olderSince || now.french !== stored.french ? 'older' : 'current'
}

export function FrenchBadge() {
  return <Badge>{useTexts(entryTexts)('french')}</Badge>
}

type EnglishBadgeProps = { state: EnglishState; olderSince?: string }

export function EnglishBadge({ state, olderSince }: EnglishBadgeProps) {
  const e = useTexts(entryTexts)
  const language = useLanguage()
  if (state === 'current') return <Badge>{e('english')}</Badge>
  if (state === 'missing') return <Badge tone="warn">{e('englishMissing')}</Badge>
  const date = olderSince && new Intl.DateTimeFormat(locales[language], { dateStyle: 'long' }).format(new Date(olderSince))
  return (
    <span title={date ? e('englishOlderSince', { date }) : undefined}>
      <Badge tone="warn">{e('englishOlder')}</Badge>
    </span>
  )
}
