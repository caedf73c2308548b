import type { ReactNode } from 'react'
import { useEffect, useState, useMemo } from 'react'
import { useRights } from '#src/features/content/web/admin-context.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { locales } from '#src/lib/language/language.ts'
import { hasRight } from '#src/lib/rights.ts'
import type { Sample } from '#src/lib/samples.ts'
import { downsample } from '#src/lib/samples.ts'
import { formatBytes } from '#src/lib/text/numbers.ts'
import { formatTime, formatDateTime } from '#src/lib/time/date-time.ts'
import { formatAgo } from '#src/lib/time/format-ago.ts'
import { getJson } from '#src/ui/api.ts'
import { Disclosure } from '#src/ui/components/card.tsx'
import { PeriodLinks } from '#src/ui/components/period-links.tsx'
import type { PlotSeries } from '#src/ui/components/plot.tsx'
import { Plot } from '#src/ui/components/plot.tsx'
import { StatusText } from '#src/ui/components/status-icon.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { SystemHealth } from '../contract.ts'
import { texts } from '../texts.ts'
import type { Route } from './+types/admin-health-page.ts'
import { ConnectionChecks } from './connection-checks.tsx'

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
      <ConnectionChecks />
      <section>
        <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
          <h2 className="text-xl">{t('history')}</h2>
          <PeriodLinks label={t('range')} periods={ranges} current={range} nameOf={t} parameter="range" />
        </div>
        <p className="mb-6 max-w-prose text-ink-2">{t('since')}</p>
        <HealthHistory samples={health.samples} range={range} />
      </section>
    </>
  )
}

type Range = 'hour' | 'day'
const everyMs = 15_000

const loadHealth = (range: Range, signal?: AbortSignal) => getJson<SystemHealth>(`/api/etat?range=${range}`, signal)

/** Reloads the health every 15 seconds while the page is visible; `isStale` when the last request failed. */
function useSystemHealth(loaded: SystemHealth, range: Range) {
  const [fresh, setFresh] = useState<{ of: SystemHealth; health: SystemHealth; isStale: boolean } | null>(null)

  useEffect(() => {
    const leaving = new AbortController()
    const refresh = () => {
      if (document.visibilityState !== 'visible') return
      loadHealth(range, leaving.signal).then(
        (health) => setFresh({ of: loaded, health, isStale: false }),
        (error: unknown) => {
          if (leaving.signal.aborted) return
          console.warn(error)
          setFresh((known) => ({ of: loaded, health: known?.of === loaded ? known.health : loaded, isStale: true }))
        },
      )
    }
    const timer = setInterval(refresh, everyMs)
    document.addEventListener('visibilitychange', refresh)
    return () => {
      leaving.abort()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [loaded, range])

  return fresh?.of === loaded ? fresh : { health: loaded, isStale: false }
}

type Status = SystemHealth['disk']['status']

/** One card for each part that can fail, then the process itself. */
function HealthCards({ health }: { health: SystemHealth }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const size = (bytes: number) => formatBytes(bytes, language)
  const number = (value: number) => value.toLocaleString(locales[language], { maximumFractionDigits: 1 })
  const { database, queue, mail, disk, backups } = health
  const rights = useRights()
  const waitingWork = { link: t('seeWork'), path: '#work' }
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
      <HealthCard
        name={t('database')}
        status={database.status}
        advice={{ text: t('databaseAdvice'), link: t('seeTimes'), path: '#times' }}
      >
        <p>{t(database.kind)}</p>
        <p>{t('answersIn', { time: number(database.took), size: size(database.size) })}</p>
      </HealthCard>
      <HealthCard name={t('queue')} status={queue.status} advice={{ text: t('queueAdvice'), ...waitingWork }}>
        <p>{queue.is_ready ? t('queueDepth', { count: queue.depth }) : t('queueOff')}</p>
        {queue.oldest_minutes > 0 && <p>{t('queueLate', { minutes: queue.oldest_minutes })}</p>}
      </HealthCard>
      <HealthCard
        name={t('mail')}
        status={mail.status}
        advice={
          mail.can_send && mail.failed > 0 && hasRight(rights, 'requests', 'read_only')
            ? { text: t('mailFailedAdvice'), link: t('seeRequests'), path: '/admin/demandes' }
            : { text: t(mail.can_send ? 'mailAdvice' : 'mailOffAdvice'), ...waitingWork }
        }
      >
        <p>{t('mailCounts', { waiting: mail.waiting, failed: mail.failed })}</p>
        {!mail.can_send && <p>{t('mailOff')}</p>}
        {mail.last_error && mail.status !== 'OK' && <p className="wrap-anywhere">{t('mailError', { error: mail.last_error })}</p>}
      </HealthCard>
      {health.reports.map(({ label, status, lines, advice: { text, link, path } }) => (
        <HealthCard
          key={label.fr}
          name={label[language]}
          status={status}
          advice={{ text: text[language], link: link[language], path }}
        >
          {lines.map((line) => (
            <p key={line.fr} className="wrap-anywhere">
              {line[language]}
            </p>
          ))}
        </HealthCard>
      ))}
      <HealthCard
        name={t('disk')}
        status={disk.status}
        advice={
          hasRight(rights, 'recordings', 'administrator')
            ? { text: t('diskAdvice'), link: t('setRetention'), path: '/admin/recordings/settings' }
            : { text: t('diskAdvice'), link: t('seeBackups'), path: '#backups' }
        }
      >
        <p>{t('diskFree', { free: size(disk.free), total: size(disk.total) })}</p>
      </HealthCard>
      <HealthCard id="backups" name={t('backups')} status={backups.status} advice={{ text: t('backupAdvice'), ...waitingWork }}>
        {backups.last ? (
          <>
            <p>
              {t('backupLast', {
                age: formatAgo(new Date(backups.last.made_at), new Date(health.taken_at), language),
                size: size(backups.last.size),
              })}
            </p>
            <p className="wrap-anywhere">{backups.last.name}</p>
            <p>{t('backupCount', { count: backups.count })}</p>
          </>
        ) : (
          <p>{t('backupNone')}</p>
        )}
      </HealthCard>
      <HealthCard name={t('process')}>
        <p>
          {health.build
            ? t('build', { version: health.version, build: health.build })
            : t('version', { version: health.version })}
        </p>
        <p>{t('uptime', { time: formatDateTime(health.started_at, language, { month: 'long' }) })}</p>
        <p>{t('memory', { memory: size(health.memory), sockets: health.sockets })}</p>
        <p className="wrap-anywhere">{t('instance', { instance: health.instance })}</p>
        <p>{t('node', { version: health.node })}</p>
      </HealthCard>
    </div>
  )
}

type HealthCardProps = {
  id?: string
  name: string
  status?: Status
  /** What to do while it is not well, and where. */
  advice?: { text: string; link: string; path: string }
  children: ReactNode
}

function HealthCard({ id, name, status, advice, children }: HealthCardProps) {
  const t = useTexts(texts)
  const isWell = status === undefined || status === 'OK'
  return (
    <div id={id} className="card p-5">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3 className="text-lg font-bold">{name}</h3>
        {status && <StatusText status={status} label={t(status)} />}
      </div>
      <div className="grid gap-1 text-ink-2">{children}</div>
      {!isWell && advice && (
        <div className="mt-3 grid gap-1 border-t-2 border-dashed border-line pt-3">
          <p className="font-bold wrap-anywhere">{advice.text}</p>
          <Link to={advice.path} className="justify-self-start py-1 font-bold text-brand underline">
            {advice.link}
          </Link>
        </div>
      )}
    </div>
  )
}

type Key = keyof (typeof texts)['fr']
type Line = { field: Exclude<keyof Sample, 'at'>; label: Key; tone: PlotSeries['tone'] }

/** Each plot shows series of one unit; error series are dashed. */
const plots: { title: Key; lines: Line[] }[] = [
  { title: 'load', lines: [{ field: 'requests', label: 'requests', tone: 'brand' }] },
  {
    title: 'times',
    lines: [
      { field: 'request_p95', label: 'requestTime', tone: 'brand' },
      { field: 'message_p95', label: 'messageTime', tone: 'ok' },
      { field: 'loop_p99', label: 'loop', tone: 'err' },
    ],
  },
  {
    title: 'people',
    lines: [
      { field: 'sockets', label: 'sockets', tone: 'brand' },
      { field: 'chats_waiting', label: 'chats', tone: 'err' },
    ],
  },
  {
    title: 'work',
    lines: [
      { field: 'queue_depth', label: 'queueJobs', tone: 'brand' },
      { field: 'mails_waiting', label: 'mailsWaiting', tone: 'ok' },
      { field: 'mail_failures', label: 'mailFailures', tone: 'err' },
    ],
  },
  { title: 'memoryMb', lines: [{ field: 'memory_mb', label: 'memoryMb', tone: 'brand' }] },
]
const allLines = plots.flatMap(({ lines }) => lines)
const rowMs: Record<Range, number> = { hour: 300_000, day: 3_600_000 }

/** The samples as plots, and as a table whose rows stand for five minutes or an hour each. */
function HealthHistory({ samples, range }: { samples: Sample[]; range: Range }) {
  const t = useTexts(texts)
  const language = useLanguage()
  // Memoized: the plot redraws whenever its props change identity.
  const drawn = useMemo(() => {
    const seriesOf = ({ field, label, tone }: Line): PlotSeries => ({
      label: t(label),
      tone,
      isDashed: tone === 'err',
      values: samples.map((sample) => sample[field]),
    })
    return {
      points: samples.map(({ at }) => at / 1_000),
      plots: plots.map(({ title, lines }) => ({ title, series: lines.map(seriesOf) })),
    }
  }, [samples, t])
  const format = new Intl.NumberFormat(locales[language], { maximumFractionDigits: 1 })
  return (
    <div className="grid gap-6">
      <div className="grid gap-6 xl:grid-cols-2">
        {drawn.plots.map(({ title, series }) => (
          <Plot
            key={title}
            id={title}
            title={t(title)}
            description={t('plotOf', { name: t(title) })}
            unit="moment"
            unitLabel={t('moment')}
            points={drawn.points}
            series={series}
          />
        ))}
      </div>
      <Disclosure title={t('table')}>
        <Table
          caption={t('table')}
          rows={downsample(samples, rowMs[range]).toReversed()}
          rowKey={(row) => row.at}
          columns={[
            { header: t('moment'), isRowHeader: true, cell: (row) => formatTime(row.at, language) },
            ...allLines.map(({ field, label }) => ({
              header: t(label),
              cell: (row: Sample) => <Value value={row[field]} format={format} />,
            })),
          ]}
        />
      </Disclosure>
    </div>
  )
}

function Value({ value, format }: { value: number | null; format: Intl.NumberFormat }) {
  const t = useTexts(texts)
  if (value !== null) return <span className="tabular">{format.format(value)}</span>
  return (
    <>
      <span aria-hidden="true">{t('none')}</span>
      <span className="sr-only">{t('noMeasure')}</span>
    </>
  )
}
