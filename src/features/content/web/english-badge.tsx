import { locales } from '#src/lib/language/language.ts'
import { isBlankHtml } from '#src/lib/text/html-text.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { entryTexts } from '../entry-texts.ts'

export type EnglishState = 'current' | 'missing' | 'older'

type Words = { french: string; english: string }

/** How the English of a field stands beside its French, as the form is now. */
export function englishStateOf(
  now: Words,
  stored: Words | null,
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
