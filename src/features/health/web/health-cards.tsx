import type { ReactNode } from 'react'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { formatAgo } from '#src/lib/time/format-ago.ts'
import { formatBytes } from '#src/lib/text/format-bytes.ts'
import { locales } from '#src/lib/language/language.ts'
import { Card } from '#src/ui/components/card.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { StatusText } from '#src/ui/components/status-icon.tsx'
import type { SystemHealth } from '../contract.ts'
import { texts } from '../texts.ts'

type Status = SystemHealth['disk']['status']

/** One card for each part that can fail, then the process itself. */
export function HealthCards({ health }: { health: SystemHealth }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const size = (bytes: number) => formatBytes(bytes, language)
  const number = (value: number) => value.toLocaleString(locales[language], { maximumFractionDigits: 1 })
  const { database, queue, mail, disk, backups } = health
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
      <HealthCard name={t('database')} status={database.status}>
        <p>{t(database.kind)}</p>
        <p>{t('answersIn', { time: number(database.took), size: size(database.size) })}</p>
      </HealthCard>
      <HealthCard name={t('queue')} status={queue.status}>
        <p>{queue.is_ready ? t('queueDepth', { count: queue.depth }) : t('queueOff')}</p>
        {queue.oldest_minutes > 0 && <p>{t('queueLate', { minutes: queue.oldest_minutes })}</p>}
      </HealthCard>
      <HealthCard name={t('mail')} status={mail.status}>
        <p>{t('mailCounts', { waiting: mail.waiting, failed: mail.failed })}</p>
        {!mail.can_send && <p>{t('mailOff')}</p>}
        {mail.last_error && mail.status !== 'OK' && <p className="wrap-anywhere">{t('mailError', { error: mail.last_error })}</p>}
      </HealthCard>
      <HealthCard name={t('disk')} status={disk.status}>
        <p>{t('diskFree', { free: size(disk.free), total: size(disk.total) })}</p>
      </HealthCard>
      <HealthCard name={t('backups')} status={backups.status}>
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

function HealthCard({ name, status, children }: { name: string; status?: Status; children: ReactNode }) {
  const t = useTexts(texts)
  return (
    <Card className="p-5">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3 className="text-lg font-bold">{name}</h3>
        {status && <StatusText status={status} label={t(status)} />}
      </div>
      <div className="grid gap-1 text-ink-2">{children}</div>
    </Card>
  )
}
