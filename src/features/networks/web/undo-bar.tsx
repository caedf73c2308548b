import { useCallback, useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import { defineTexts } from '#src/lib/language/texts.ts'
import { locales, pickText } from '#src/lib/language/language.ts'
import { formatTime } from '#src/lib/time/date-time.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { useLive } from '#src/ui/live/use-live.tsx'
import type { UndoableStep } from '../contract.ts'
import './undo-bar.css'

const undoTexts = defineTexts({
  fr: {
    label: 'Publication récente',
    published: 'Publié à {time} : {places}.',
    page: 'page d’état',
    banner: 'bandeau',
    note: 'avis',
    mails: '{mails} {mails|courriel part|courriels partent} dans {count} s.',
    noMails: 'Tout s’annule encore pendant {count} s.',
    show: 'Voir la page',
    send: 'Envoyer maintenant',
    sent: 'Les courriels partent.',
    sendFailed: 'Les courriels attendent toujours',
    undo: 'Annuler tout',
    undone: 'Tout est revenu comme avant. Aucun courriel n’est parti.',
    failed: 'Rien n’a été annulé',
  },
  en: {
    label: 'Recent publication',
    published: 'Published at {time}: {places}.',
    page: 'status page',
    banner: 'banner',
    note: 'notice',
    mails: '{mails} {mails|email leaves|emails leave} in {count} s.',
    noMails: 'Everything can be undone for another {count} s.',
    show: 'View page',
    send: 'Send now',
    sent: 'The emails are on their way.',
    sendFailed: 'The emails are still waiting',
    undo: 'Undo everything',
    undone: 'Everything is as it was before. No email was sent.',
    failed: 'Nothing was undone',
  },
})

/** Requests all changes, so that one made between the page load and the opening of the stream is included. */
const fromTheStart = 1

/** For a minute after a step of an outage, on every screen: what was published, and the way back. */
export function OutageUndoBar() {
  const api = useAction()
  const [steps, setSteps] = useState<UndoableStep[]>([])
  const refresh = useCallback(async () => {
    try {
      setSteps(await getJson<UndoableStep[]>('/api/networks/incidents/undoable'))
    } catch (error) {
      // The server restarts or the session ended: the next change retries.
      console.warn(error)
    }
  }, [])
  useEffect(() => void refresh(), [refresh])
  useLive((area) => {
    if (area === 'networks' || area === null) void refresh()
  }, fromTheStart)
  return (
    <>
      {steps.map((step) => (
        <Step key={`${step.id_incident} ${step.undo_until}`} step={step} api={api} onUndone={refresh} />
      ))}
      <Toast {...api.toast} />
    </>
  )
}

type StepProps = { step: UndoableStep; api: ReturnType<typeof useAction>; onUndone: () => Promise<void> }

function Step({ step, api, onUndone }: StepProps) {
  const t = useTexts(undoTexts)
  const language = useLanguage()
  const { revalidate } = useRevalidator()
  const until = Date.parse(step.undo_until)
  const left = () => Math.ceil((until - Date.now()) / 1_000)
  const [seconds, setSeconds] = useState(left)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.ceil((until - Date.now()) / 1_000)), 1_000)
    return () => clearInterval(timer)
  }, [until])
  if (seconds <= 0) return null
  const act = async (action: 'undo' | 'send') => {
    await callApi('POST', `/api/networks/incidents/${step.id_incident}/${action}`, {})
    await Promise.all([onUndone(), revalidate()])
  }
  const places = [t('page'), ...(step.banner ? [t('banner')] : []), ...(step.note ? [t('note')] : [])]
  const list = new Intl.ListFormat(locales[language]).format(places)
  return (
    <section className="night outage-undo" aria-label={t('label')}>
      <Countdown seconds={seconds} whole={(until - Date.parse(step.at)) / 1_000} />
      <div className="me-auto">
        <p role="status" className="font-bold">
          {t('published', { time: formatTime(step.at, language), places: list })}
        </p>
        <p className="tabular text-ink-2">
          <Link className="underline" to={`/admin/reseau/pannes/${step.id_incident}`}>
            {pickText(language, step.title, step.title_en)}
          </Link>
          <span> · </span>
          <span>{t(step.mails > 0 ? 'mails' : 'noMails', { count: seconds, mails: step.mails })}</span>
        </p>
      </div>
      <Link className="button button-quiet" to={`/reseau/incident/${step.id_incident}`}>
        {t('show')}
      </Link>
      {step.mails > 0 && (
        <Button
          variant="quiet"
          disabled={api.busy}
          onClick={() => void api.run(() => act('send'), { done: t('sent'), failed: t('sendFailed') })}
        >
          {t('send')}
        </Button>
      )}
      <Button disabled={api.busy} onClick={() => void api.run(() => act('undo'), { done: t('undone'), failed: t('failed') })}>
        {t('undo')}
      </Button>
    </section>
  )
}

const circumference = 100

/** A ring that steps by the second; the text beside it has the same figure. */
export function Countdown({ seconds, whole }: { seconds: number; whole: number }) {
  const circle = { cx: 20, cy: 20, r: 17, fill: 'none', strokeWidth: 4, pathLength: circumference }
  return (
    <svg viewBox="0 0 40 40" width="44" height="44" className="flex-none" aria-hidden="true">
      <circle {...circle} stroke="currentColor" opacity="0.25" />
      <circle
        {...circle}
        className="stroke-lamp"
        strokeDasharray={`${Math.min(1, seconds / whole) * circumference} ${circumference}`}
        transform="rotate(-90 20 20)"
      />
      <text x="20" y="25" textAnchor="middle" fill="currentColor" fontSize="14" fontWeight="700">
        {seconds}
      </text>
    </svg>
  )
}
