import { useEffect, useState } from 'react'
import { defineTexts } from '#src/lib/language/texts.ts'
import { getJson } from '#src/ui/api.ts'
import { ButtonLink } from '#src/ui/components/button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import type { Incident } from '../contract.ts'
import type { NetworkSummary } from '../values.ts'

const cardTexts = defineTexts({
  fr: {
    title: 'État du réseau',
    well: 'Tout fonctionne.',
    open: '{count} {count|panne en cours|pannes en cours}',
    drafts: '{count} {count|brouillon de panne à publier|brouillons de panne à publier}',
    late: '{count} {count|mise à jour en retard|mises à jour en retard}',
    outages: 'Voir les pannes',
    declare: 'Déclarer une panne',
  },
  en: {
    title: 'Network status',
    well: 'All systems operational.',
    open: '{count} {count|outage in progress|outages in progress}',
    drafts: '{count} {count|outage draft to publish|outage drafts to publish}',
    late: '{count} {count|update overdue|updates overdue}',
    outages: 'See outages',
    declare: 'Declare an outage',
  },
})

type Loaded = { summary: NetworkSummary; incidents: Incident[] }

/** The status of the networks on the landing screen: what is wrong, and what waits for somebody. */
export function NetworkCard({ canWrite }: { canWrite: boolean }) {
  const t = useTexts(cardTexts)
  const language = useLanguage()
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  useEffect(() => {
    const left = new AbortController()
    Promise.all([
      getJson<NetworkSummary>('/api/networks/summary', left.signal),
      getJson<Incident[]>('/api/networks/incidents', left.signal),
    ]).then(
      ([summary, incidents]) => setLoaded({ summary, incidents }),
      (error: unknown) => {
        if (!left.signal.aborted) console.error(error)
      },
    )
    return () => left.abort()
  }, [])
  if (!loaded) return null
  const { summary, incidents } = loaded
  const unresolved = incidents.filter(({ resolved_at, draft }) => !resolved_at && !draft)
  const counts = {
    open: unresolved.length,
    drafts: incidents.filter(({ draft }) => draft).length,
    late: unresolved.filter(({ next_update_at: next }) => next && Date.parse(next) < Date.now()).length,
  }
  const facts = (['open', 'late', 'drafts'] as const).filter((key) => counts[key] > 0)
  return (
    <section className="card mb-8 grid gap-3 p-5" aria-label={t('title')}>
      <h2 className="text-xl">{t('title')}</h2>
      {summary.strip[language] ? <RichText html={summary.strip[language]} className="" /> : <p>{t('well')}</p>}
      {facts.length > 0 && <p>{facts.map((key) => t(key, { count: counts[key] })).join(', ')}</p>}
      <p className="flex flex-wrap gap-3">
        <ButtonLink to="/admin/reseau/pannes" variant="secondary" size="small">
          {t('outages')}
        </ButtonLink>
        {canWrite && (
          <ButtonLink to="/admin/reseau/pannes/nouvelle" variant="secondary" size="small">
            {t('declare')}
          </ButtonLink>
        )}
      </p>
    </section>
  )
}
