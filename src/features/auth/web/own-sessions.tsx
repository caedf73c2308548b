import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { formatDateTime } from '#src/lib/date-time.ts'
import { callApi } from '#src/ui/api.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { failureOf, failureTexts } from '#src/ui/failures.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { StatusCard } from '#src/ui/status-card.tsx'
import { Table } from '#src/ui/table.tsx'
import type { OwnSession } from '../contract.ts'
import { profileTexts } from '../profile-texts.ts'
import { readDevice } from './device.ts'
import { useConfirmed } from './use-confirmed.tsx'

/** Where one is signed in, and a way to end each. */
export function OwnSessions({ sessions }: { sessions: OwnSession[] }) {
  const t = useTexts(profileTexts)
  const f = useTexts(failureTexts)
  const language = useLanguage()
  const { revalidate } = useRevalidator()
  const [failure, setFailure] = useState<string | null>(null)
  const confirmed = useConfirmed((error) => setFailure(f(failureOf(error))))

  const end = (path: string) => {
    setFailure(null)
    void confirmed.run(async (password) => {
      await callApi('DELETE', path, password === undefined ? undefined : { password })
      await revalidate()
    })
  }
  const deviceOf = (session: OwnSession) => {
    const device = readDevice(session.user_agent)
    if (!device) return t('unknownDevice')
    return device.system ? t('onSystem', { browser: device.browser, system: device.system }) : device.browser
  }

  return (
    <section className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h2 className="text-xl">{t('sessions')}</h2>
        {sessions.length > 1 && (
          <Button variant="secondary" size="small" disabled={confirmed.busy} onClick={() => end('/api/auth/me/sessions')}>
            {t('endOthers')}
          </Button>
        )}
      </div>
      <p className="text-ink-2">{t('sessionsIntro')}</p>
      <StatusCard status={failure ? 'error' : null}>{failure}</StatusCard>
      <Table
        caption={t('sessions')}
        rows={sessions}
        rowKey={(session) => session.id_session}
        columns={[
          { header: t('device'), cell: (session) => deviceOf(session), isRowHeader: true },
          { header: t('address'), cell: (session) => session.address },
          { header: t('began'), cell: (session) => formatDateTime(session.created_at, language) },
          {
            header: t('seen'),
            cell: (session) =>
              session.current ? <Badge tone="ok">{t('thisOne')}</Badge> : formatDateTime(session.last_seen_at, language),
          },
        ]}
        actions={{
          header: t('end'),
          cell: (session) =>
            !session.current && (
              <Button
                variant="danger"
                size="small"
                disabled={confirmed.busy}
                aria-label={`${t('end')} ${deviceOf(session)}, ${formatDateTime(session.created_at, language)}`}
                onClick={() => end(`/api/auth/me/sessions/${session.id_session}`)}
              >
                {t('end')}
              </Button>
            ),
        }}
      />
      {confirmed.dialog}
    </section>
  )
}
