import { useEffect, useState } from 'react'
import type { Profile } from '#src/features/people/contract.ts'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { pickVariant } from '#src/lib/language/language.ts'
import { defineTexts } from '#src/lib/language/texts.ts'
import { hasRight } from '#src/lib/rights.ts'
import { getJson } from '#src/ui/api.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { Lamp } from '#src/ui/components/lamp.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { deviceStorage } from '#src/ui/storage.ts'
import type { OwnStart } from '../contract.ts'
import { formatClock } from './times.ts'

const firstStepTexts = defineTexts({
  fr: {
    title: 'Premiers pas',
    photo: 'Ajoutez votre photo',
    photoHint: 'Les visiteurs la voient à côté de votre nom.',
    device: 'Ajoutez un appareil avisé',
    deviceHint: 'Il vous avise quand un visiteur attend et que tous vos écrans sont fermés.',
    available: 'Devenez disponible',
    availableHint: 'Le clavardage vous propose alors les conversations en attente.',
    done: 'Fait',
    hide: 'Masquer',
    show: 'Afficher les premiers pas',
    viewTitle: 'Ce que voient les visiteurs',
    viewIntro: 'Photo, nom et titre de votre fiche d’équipe; sans fiche, ceux de votre profil.',
    noPhoto: 'Sans photo, seul votre nom est affiché.',
    sample: 'Bonjour! Comment puis-je vous aider?',
    online: 'En ligne',
  },
  en: {
    title: 'Getting started',
    photo: 'Add your photo',
    photoHint: 'Visitors see it next to your name.',
    device: 'Add a notified device',
    deviceHint: 'It notifies you when a visitor is waiting and all your screens are closed.',
    available: 'Become available',
    availableHint: 'The chat then offers you the conversations that are waiting.',
    done: 'Done',
    hide: 'Hide',
    show: 'Show getting started',
    viewTitle: 'What visitors see',
    viewIntro: 'Photo, name and title from your team record; without one, those of your profile.',
    noPhoto: 'Without a photo, only your name is shown.',
    sample: 'Hello! How can I help you?',
    online: 'Online',
  },
})

const hiddenKey = ({ id_user: userId }: Profile) => `first_steps_hidden:${userId}`
const canAnswer = ({ rights, totp_required: mustSetUpTotp }: Profile) => !mustSetUpTotp && hasRight(rights, 'chat', 'read_write')

/** Read again whenever the profile changes; null until it is there. */
function useOwnStart(profile: Profile) {
  const f = useTexts(failureTexts)
  const [start, setStart] = useState<OwnStart | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    if (!canAnswer(profile)) return
    getJson<OwnStart>('/api/chat/me').then(
      (found) => {
        setStart(found)
        setFailure(null)
      },
      (error: unknown) => {
        console.warn(error)
        setFailure(f(failureOf(error)))
      },
    )
  }, [profile, f])
  return { start, failure }
}

/** On the landing screen of a technician who is new to the chat: what to do first, until it is done or hidden. */
export function FirstSteps() {
  const t = useTexts(firstStepTexts)
  const profile = useProfile()
  const { start } = useOwnStart(profile)
  const [isHidden, setHidden] = useState(true)
  useEffect(() => setHidden(deviceStorage.read(hiddenKey(profile)) !== null), [profile])
  if (!start || isHidden) return null
  const steps = [
    { name: 'photo', to: '/admin/profile', isDone: start.image_url !== null },
    { name: 'device', to: '/admin/profile#push-devices', isDone: start.device_count > 0 },
    { name: 'available', to: '/admin/chat', isDone: start.was_available },
  ] as const
  if (steps.every(({ isDone }) => isDone)) return null
  const hide = () => {
    deviceStorage.write(hiddenKey(profile), '1')
    setHidden(true)
  }
  return (
    <section aria-labelledby="first-steps" className="rounded-card bg-brand-soft px-5 py-5">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h2 id="first-steps" className="text-xl">
          {t('title')}
        </h2>
        <Button variant="secondary" size="small" onClick={hide}>
          {t('hide')}
        </Button>
      </div>
      <ol className="mt-3 grid gap-3">
        {steps.map(({ name, to, isDone }, index) => (
          <li key={name} className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <span aria-hidden="true" className="tabular">{`${index + 1}.`}</span>
            {isDone ? (
              <span>{t(name)}</span>
            ) : (
              <Link to={to} className="font-bold text-brand underline">
                {t(name)}
              </Link>
            )}
            {isDone ? <Badge tone="ok">{t('done')}</Badge> : <span className="text-ink-2">{t(`${name}Hint`)}</span>}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** In one's profile: the head and a message of the chat as visitors see them. */
export function VisitorsView() {
  const t = useTexts(firstStepTexts)
  const language = useLanguage()
  const profile = useProfile()
  const { start, failure } = useOwnStart(profile)
  const [isHidden, setHidden] = useState(false)
  const [shownAt] = useState(() => new Date().toISOString())
  useEffect(() => setHidden(deviceStorage.read(hiddenKey(profile)) !== null), [profile])
  if (!canAnswer(profile)) return null
  const title = start && pickVariant(language, start.title, start.title_en)
  const showSteps = () => {
    deviceStorage.write(hiddenKey(profile), null)
    setHidden(false)
  }
  return (
    <section aria-labelledby="visitors-view" className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h2 id="visitors-view" className="text-xl">
          {t('viewTitle')}
        </h2>
        {isHidden && (
          <Button variant="secondary" size="small" onClick={showSteps}>
            {t('show')}
          </Button>
        )}
      </div>
      <p className="text-ink-2">{t('viewIntro')}</p>
      {failure && (
        <p role="alert" className="font-bold text-err">
          {failure}
        </p>
      )}
      {start && (
        <div className="visitors-view">
          <div className="night visitors-view-head">
            {start.image_url && <img src={start.image_url} alt="" width="40" height="40" />}
            <div className="min-w-0 grow">
              <p className="text-xl font-bold wrap-anywhere" translate="no">
                {start.user_name}
              </p>
              {title?.text && (
                <p className="text-sm" lang={title.lang}>
                  {title.text}
                </p>
              )}
              <p className="text-sm text-ink-2">
                <Lamp on>{t('online')}</Lamp>
              </p>
            </div>
          </div>
          <ol>
            <li className="message">
              <p className="name" translate="no">
                {start.user_name}
              </p>
              <p>{t('sample')}</p>
              <p className="time">{formatClock(language, shownAt)}</p>
            </li>
          </ol>
        </div>
      )}
      {start && !start.image_url && <p className="text-ink-2">{t('noPhoto')}</p>}
    </section>
  )
}
