import { useCallback, useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import { defineTexts } from '#src/lib/language/texts.ts'
import { pickText } from '#src/lib/language/language.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { useLive } from '#src/ui/live/use-live.tsx'
import type { UndoableStep } from '../contract.ts'

const undoTexts = defineTexts({
  fr: {
    label: 'Publication récente',
    published: 'La page « État du réseau » montre maintenant :',
    mails: 'Les courriels partent dans {count} s.',
    noMails: 'Tout s’annule encore pendant {count} s.',
    undo: 'Annuler tout',
    undone: 'Tout est revenu comme avant. Aucun courriel n’est parti.',
    failed: 'Rien n’a été annulé',
  },
  en: {
    label: 'Recent publication',
    published: 'The Network status page now shows:',
    mails: 'Emails are sent in {count} s.',
    noMails: 'Everything can be undone for another {count} s.',
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
  const handleUndo = async () => {
    await callApi('POST', `/api/networks/incidents/${step.id_incident}/undo`, {})
    await Promise.all([onUndone(), revalidate()])
  }
  return (
    <section className="night outage-undo" aria-label={t('label')}>
      <div className="me-auto">
        <p role="status">
          <span>{t('published')}</span>{' '}
          <Link className="font-bold underline" to={`/admin/reseau/pannes/${step.id_incident}`}>
            {pickText(language, step.title, step.title_en)}
          </Link>
        </p>
        <p className="tabular text-ink-2">{t(step.mails ? 'mails' : 'noMails', { count: seconds })}</p>
      </div>
      <Button disabled={api.busy} onClick={() => void api.run(handleUndo, { done: t('undone'), failed: t('failed') })}>
        {t('undo')}
      </Button>
    </section>
  )
}
