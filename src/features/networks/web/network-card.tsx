import { defineTexts } from '#src/lib/language/texts.ts'
import { Link } from '#src/ui/components/link.tsx'
import { StatusIcon } from '#src/ui/components/status-icon.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import type { CounterNetworks } from '../contract.ts'

const cardTexts = defineTexts({
  fr: {
    title: 'État du réseau',
    well: 'Tout fonctionne.',
    open: '{count} {count|panne en cours|pannes en cours}',
    drafts: '{count} {count|brouillon de panne à publier|brouillons de panne à publier}',
    late: '{count} {count|mise à jour en retard|mises à jour en retard}',
    outages: 'Voir les pannes',
  },
  en: {
    title: 'Network status',
    well: 'All systems operational.',
    open: '{count} {count|outage in progress|outages in progress}',
    drafts: '{count} {count|outage draft to publish|outage drafts to publish}',
    late: '{count} {count|update overdue|updates overdue}',
    outages: 'See outages',
  },
})

/** The networks on the landing screen: what is wrong, and what waits for somebody. */
export function NetworkCard({ facts }: { facts: CounterNetworks }) {
  const t = useTexts(cardTexts)
  const language = useLanguage()
  const waiting = (['open', 'late', 'drafts'] as const).filter((key) => facts[key] > 0)
  const strip = facts.strip[language]
  return (
    <section className="card counter-card" aria-labelledby="counter-networks">
      <header>
        <h2 id="counter-networks">{t('title')}</h2>
        <Link to="/admin/reseau/pannes" className="counter-link">
          {t('outages')}
        </Link>
      </header>
      <div className="counter-text grid gap-1">
        <div className="flex items-start gap-3">
          {!strip && <StatusIcon status={facts.status} />}
          {strip ? <RichText html={strip} className="font-bold" /> : <p className="font-bold">{t('well')}</p>}
        </div>
        {waiting.length > 0 && <p className="text-ink-2">{waiting.map((key) => t(key, { count: facts[key] })).join(', ')}</p>}
      </div>
    </section>
  )
}
