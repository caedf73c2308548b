import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { formatTime } from '#src/lib/time/date-time.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { texts } from '../texts.ts'
import type { Route } from './+types/admin-health-page.ts'
import { HealthCards } from './health-cards.tsx'
import { HealthHistory } from './health-history.tsx'
import type { Range } from './use-health.ts'
import { loadHealth, useSystemHealth } from './use-health.ts'

const ranges: Range[] = ['hour', 'day']

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const range: Range = new URL(request.url).searchParams.get('range') === 'day' ? 'day' : 'hour'
  return { range, loaded: await loadHealth(range) }
}

/** `/admin/etat`: the health of the system, now and over the last day. */
export default function AdminHealthPage({ loaderData: { range, loaded } }: Route.ComponentProps) {
  const t = useTexts(texts)
  const language = useLanguage()
  const { health, isStale } = useSystemHealth(loaded, range)
  const time = formatTime(health.taken_at, language)
  return (
    <>
      <AdminHead title={t('title')} subtitle={t('asOf', { time })} backTo="/admin/panel" />
      <div role="status">
        {isStale && <p className="mb-6 rounded-card bg-err-soft px-5 py-4 font-bold text-err">{t('stale', { time })}</p>}
      </div>
      <section className="mb-10">
        <h2 className="sr-only">{t('now')}</h2>
        <HealthCards health={health} />
      </section>
      <section>
        <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
          <h2 className="text-xl">{t('history')}</h2>
          <nav aria-label={t('range')}>
            <ul className="flex gap-5">
              {ranges.map((one) => (
                <li key={one}>
                  <Link
                    to={`?range=${one}`}
                    replace
                    preventScrollReset
                    aria-current={one === range ? 'true' : undefined}
                    className={`inline-block py-2 ${one === range ? 'font-bold' : 'text-brand underline underline-offset-2'}`}
                  >
                    {t(one)}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        </div>
        <p className="mb-6 max-w-prose text-ink-2">{t('since')}</p>
        <HealthHistory samples={health.samples} range={range} />
      </section>
    </>
  )
}
