import { useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { EntryTabs } from '#src/features/content/web/entry-tabs.tsx'
import { formatCount } from '#src/lib/lists.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { apiAddress } from '#src/ui/hosts.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button, ButtonAnchor } from '#src/ui/components/button.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { ProgressBar, TimeLeft } from '#src/ui/uploads/upload-bar.tsx'
import { createRate } from '#src/ui/uploads/upload.ts'
import type { DataExport } from '../contract.ts'
import { exportTexts } from '../texts.ts'
import type { Route } from './+types/admin-exports-page.ts'

const path = '/api/exports/exports'
const followMs = 1_500
const tones = {
  waiting: 'neutral',
  running: 'brand',
  ready: 'ok',
  fetched: 'neutral',
  failed: 'err',
  stopped: 'neutral',
} as const

export const clientLoader = () => getJson<DataExport[]>(path)

/** `/admin/exports`: an archive of everything. */
export default function AdminExportsPage({ loaderData: exports }: Route.ComponentProps) {
  useRight(['company'], 'administrator')
  const t = useTexts(exportTexts)
  const { revalidate } = useRevalidator()
  const { busy, run, toast } = useAction()
  const isOpen = exports.some(({ state }) => state === 'waiting' || state === 'running')
  // The archive that waits to be fetched is then what the page is for.
  const isReady = exports.some(({ state }) => state === 'ready')
  useEffect(() => {
    if (!isOpen) return undefined
    const timer = setInterval(() => void revalidate(), followMs)
    return () => clearInterval(timer)
  }, [isOpen, revalidate])
  const start = () => run(async () => callApi('POST', path).finally(revalidate), {})
  const stop = (id: number) => run(async () => callApi('POST', `${path}/${id}/stop`).finally(revalidate), {})
  return (
    <>
      <AdminHead title={t('title')} />
      <EntryTabs entry="/admin/importer" />
      <div className="mb-8 grid max-w-3xl justify-items-start gap-3">
        <p>{t('intro')}</p>
        <p className="text-ink-2">{t('without')}</p>
        <Button variant={isReady ? 'secondary' : 'primary'} busy={busy} disabled={isOpen} onClick={() => void start()}>
          {t('start')}
        </Button>
      </div>
      <h2 className="mb-3 text-xl">{t('former')}</h2>
      {exports.length === 0 ? (
        <div className="max-w-3xl">
          <EmptyState title={t('empty')}>{t('emptyHint')}</EmptyState>
        </div>
      ) : (
        <ul className="grid max-w-3xl gap-4">
          {exports.map((one) => (
            <ExportCard
              key={one.id_export}
              one={one}
              onStop={() => void stop(one.id_export)}
              onFetched={() => void revalidate()}
            />
          ))}
        </ul>
      )}
      <Toast {...toast} />
    </>
  )
}

function ExportCard({ one, onStop, onFetched }: { one: DataExport; onStop: () => void; onFetched: () => void }) {
  const t = useTexts(exportTexts)
  const language = useLanguage()
  const { id_export: id, state, done, total, bytes, created_at: createdAt, ends_at: endsAt } = one
  const secondsLeft = useTimeLeft(done, state === 'running' ? total : null)
  const size = new Intl.NumberFormat(language === 'fr' ? 'fr-CA' : 'en-US', {
    style: 'unit',
    unit: 'megabyte',
    maximumFractionDigits: 1,
  })
  return (
    <li className="card grid gap-3 p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="font-bold">{formatDateTime(createdAt, language)}</span>
        <Badge tone={tones[state]}>{t(state)}</Badge>
      </div>
      {(state === 'running' || state === 'waiting') && (
        <>
          <ProgressBar label={t('progress')} value={total === null ? null : done} max={Math.max(total ?? 1, 1)} />
          <div className="flex flex-wrap items-center justify-between gap-3">
            <span className="text-ink-2 tabular">{`${formatCount(done, language)}${total === null ? '' : ` / ${formatCount(total, language)}`}`}</span>
            {secondsLeft !== null && <TimeLeft seconds={secondsLeft} />}
            <Button variant="secondary" size="small" onClick={onStop}>
              {t('stop')}
            </Button>
          </div>
        </>
      )}
      {state === 'failed' && <p className="text-err">{t('failedHint')}</p>}
      {state === 'ready' && endsAt && (
        <div className="flex flex-wrap items-center gap-4">
          {/* The page learns that it was fetched once the browser has taken it. */}
          <ButtonAnchor href={apiAddress(`${path}/${id}/file`)} download onClick={() => setTimeout(onFetched, 3 * followMs)}>
            {t('download', { size: size.format((bytes ?? 0) / 1_000_000) })}
          </ButtonAnchor>
          <span className="text-ink-2">{t('until', { when: formatDateTime(endsAt, language) })}</span>
        </div>
      )}
      {(state === 'ready' || state === 'fetched') && <p className="text-sm text-ink-2">{t('rows', { count: done })}</p>}
    </li>
  )
}

/** By the rows of the last seconds; null while nobody knows. */
function useTimeLeft(done: number, total: number | null) {
  const [rate] = useState(() => createRate())
  const [seconds, setSeconds] = useState<number | null>(null)
  useEffect(() => {
    // The total is an estimate, which what is done may pass.
    const isKnown = total !== null && done <= total
    setSeconds(isKnown ? rate.secondsLeft({ state: 'sending', sent: done, total }) : null)
  }, [rate, done, total])
  return seconds
}
