import { defineTexts } from '#src/lib/language/texts.ts'
import { locales } from '#src/lib/language/language.ts'
import { mostCounted } from '#src/lib/lists.ts'
import { formatAgo } from '#src/lib/time/format-ago.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { ButtonLink } from '#src/ui/components/button.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { suspectedTexts } from '../admin-texts.ts'
import type { CounterRequests } from '../server/feature.ts'
import { HollowCount, reviewPath } from './request-badges.tsx'

const texts = defineTexts({
  fr: {
    title: 'Demandes à prendre en charge',
    all: 'Toutes les demandes',
    new: '{count} {count|nouvelle|nouvelles}',
    newMore: 'plus de {count} nouvelles',
    late: '{count} en retard',
    lateMore: 'plus de {count} en retard',
    isLate: 'En retard',
    empty: 'Aucune demande n’attend.',
  },
  en: {
    title: 'Requests to take',
    all: 'All requests',
    new: '{count} new',
    newMore: 'more than {count} new',
    late: '{count} overdue',
    lateMore: 'more than {count} overdue',
    isLate: 'Overdue',
    empty: 'No requests are waiting.',
  },
})

/** On the landing screen: new and late requests, the late ones first. */
export function CounterRequestsCard({ facts }: { facts: CounterRequests }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const now = new Date()
  const figure = (key: 'new' | 'late') => {
    const count = facts[key]
    const isMore = count >= mostCounted
    const shown = new Intl.NumberFormat(locales[language]).format(mostCounted - 1)
    return isMore ? t(`${key}More`, { count: shown }) : t(key, { count })
  }
  return (
    <section aria-labelledby="counter-requests" className="card counter-card">
      <header>
        <h2 id="counter-requests">{t('title')}</h2>
        {facts.late > 0 && <Badge tone="err">{figure('late')}</Badge>}
        {facts.new > 0 && <Badge tone="warn">{figure('new')}</Badge>}
        <Link to="/admin/demandes" className="counter-link">
          {t('all')}
        </Link>
      </header>
      {facts.rows.length === 0 ? (
        <p className="counter-text text-ink-2">{t('empty')}</p>
      ) : (
        <ul className="counter-rows">
          {facts.rows.map((row) => (
            <li key={row.id_request}>
              <Link to={`/admin/demandes/${row.id_request}`} className="counter-row">
                <span className="counter-reference tabular">{row.reference}</span>
                <span className="min-w-0 grow">
                  <span className="block font-bold wrap-anywhere" translate="no">
                    {row.subject}
                  </span>
                  <span className="block text-sm text-ink-2 wrap-anywhere" translate="no">
                    {row.name}
                  </span>
                </span>
                {row.is_late && <Badge tone="err">{t('isLate')}</Badge>}
                <time dateTime={row.created_at} className="text-sm text-ink-2">
                  {formatAgo(new Date(row.created_at), now, language)}
                </time>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** On the landing screen: what waits to be reviewed. Nothing at all where nothing does. */
export function SuspectedNotice({ count, known }: { count: number; known: number }) {
  const t = useTexts(suspectedTexts)
  if (count === 0) return null
  return (
    <section
      aria-label={t('view')}
      className="flex flex-wrap items-center gap-4 rounded-card border border-dashed border-edge px-5 py-4"
    >
      <HollowCount count={count} />
      <div className="grow">
        <p className="font-bold">{t('count', { count })}</p>
        <p className="text-sm text-ink-2">
          {[t('panelHint'), known > 0 && t('panelKnown', { count: known })].filter(Boolean).join(' ')}
        </p>
      </div>
      <ButtonLink to={reviewPath} variant="secondary" size="small">
        {t('review')}
      </ButtonLink>
    </section>
  )
}
