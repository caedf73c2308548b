import { Link } from '#src/ui/components/link.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { VisitsThisWeek } from '../contract.ts'
import { visitTexts } from '../texts.ts'
import { useNumbers } from './numbers.ts'

/** On the landing screen: the visits of the last seven days, against the seven before. */
export function VisitsCard({ facts: { visits, before, has_before: hasBefore } }: { facts: VisitsThisWeek }) {
  const t = useTexts(visitTexts)
  const { number, change } = useNumbers()
  const difference = hasBefore ? change(visits, before) : null
  const values = { days: 7, percent: difference?.replace(/^[+\u2212]\s*/, '') ?? '' }
  return (
    <section aria-labelledby="counter-visits" className="card counter-card">
      <header>
        <h2 id="counter-visits">{t('week', { visits: number(visits), count: visits })}</h2>
        <Link to="/admin/frequentation?days=7" className="counter-link">
          {t('see')}
        </Link>
      </header>
      {hasBefore && (
        <p className="counter-text text-ink-2">
          {difference === null
            ? t('before', { count: before })
            : visits === before
              ? t('same', values)
              : t(visits > before ? 'more' : 'less', values)}
        </p>
      )}
    </section>
  )
}
