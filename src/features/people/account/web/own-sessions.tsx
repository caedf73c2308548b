import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { callApi } from '#src/ui/api.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { StatusCard } from '#src/ui/components/status-card.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { OwnSession } from '../../contract.ts'
import { profileTexts } from '../profile-texts.ts'

const all = '/api/auth/me/sessions'

/** Where one is signed in, and a way to end each. */
export function OwnSessions({ sessions }: { sessions: OwnSession[] }) {
  const t = useTexts(profileTexts)
  const f = useTexts(failureTexts)
  const language = useLanguage()
  const { revalidate } = useRevalidator()
  const [failure, setFailure] = useState<string | null>(null)
  /** The address of the call that is under way. */
  const [ending, setEnding] = useState<string | null>(null)

  const end = async (path: string) => {
    setFailure(null)
    setEnding(path)
    try {
      await callApi('DELETE', path)
      await revalidate()
    } catch (error) {
      console.warn(error)
      setFailure(f(failureOf(error)))
    } finally {
      setEnding(null)
    }
  }
  const stateOf = (path: string) => ({ busy: ending === path, disabled: ending !== null && ending !== path })
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
          <Button {...stateOf(all)} variant="secondary" size="small" onClick={() => void end(all)}>
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
                {...stateOf(`${all}/${session.id_session}`)}
                aria-label={`${t('end')} ${deviceOf(session)}, ${formatDateTime(session.created_at, language)}`}
                onClick={() => void end(`${all}/${session.id_session}`)}
              >
                {t('end')}
              </Button>
            ),
        }}
      />
    </section>
  )
}

const browsers: [RegExp, string][] = [
  [/\bEdg\//, 'Edge'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(?:Headless)?Chrome\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** The browser and the system that a User-Agent names, enough for a person to know their own; null for another client. */
function readDevice(userAgent: string) {
  const found = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = found(browsers)
  return browser ? { browser, system: found(systems) } : null
}
