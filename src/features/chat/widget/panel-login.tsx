import { useRef, useState } from 'react'
import { company } from '#company/company.ts'
import { pickVariant } from '#src/lib/language/language.ts'
import { Button } from '#src/ui/components/button.tsx'
import { TextArea, TextField } from '#src/ui/forms/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { readPages } from '#src/ui/storage.ts'
import { texts } from './panel-texts.ts'
import type { ChatAvailability } from '../contract.ts'
import { chatMessageMax } from '../values.ts'
import { visitedPage } from './chat-host.ts'
import { LazyComponent } from './panel-notices.tsx'
import type { SessionState, VisitorSession } from './visitor-session.ts'
import { readStored } from './visitor-storage.ts'

/** In their order on the form. */
const loginFields = ['client_email', 'client_name', 'client_business'] as const
const refusals = { invalid: 'loginInvalid', limited: 'loginLimited', blocked: 'loginBlocked' } as const

const loadAnswers = () => import('#src/ui/search/answers.tsx').then((loaded) => loaded.Answers)
const loadClosedMeanwhile = () => import('./panel-closed.tsx').then((loaded) => loaded.ClosedMeanwhile)

type PanelLoginProps = {
  session: VisitorSession
  refused: SessionState['refusedLogin']
  availability: ChatAvailability
  onLeave: () => void
}

/**
 * What happens, with answers, then name, e-mail and company. It unmounts while the chat connects, so it cannot be sent twice.
 * Answers that came again after a refusal would push the refused field out of sight.
 */
export function PanelLogin({ session, refused, availability, onLeave }: PanelLoginProps) {
  const t = useTexts(texts)
  const language = useLanguage()
  const form = useRef<HTMLFormElement>(null)
  const { retention, expected_wait: french, expected_wait_en: english } = availability
  const wait = pickVariant(language, french, english)
  const [refusedFields, setRefusedFields] = useState(refused?.fields ?? [])
  const [{ visitor }] = useState(readStored)
  const before = refused?.input ?? { client_name: visitor?.name, client_email: visitor?.email, client_business: '' }
  const isOpen = availability.state === 'open'
  const first = loginFields.find((name) => refusedFields.includes(name))
  const [problem, setProblem] = useState(session.unsentText)
  const isCorrected = refusedFields.length === 0 && (refused?.fields.length ?? 0) > 0
  // Nothing is checked here: the server's refusal marks a field until it is changed.
  const fieldOf = (name: (typeof loginFields)[number], error: string) => ({
    name,
    defaultValue: before[name],
    error: refusedFields.includes(name) ? error : null,
    'data-first': name === first ? '' : undefined,
    onChange: () => setRefusedFields(refusedFields.filter((one) => one !== name)),
  })

  const start = () => {
    const data = new FormData(form.current ?? undefined)
    const value = (name: string) => String(data.get(name) ?? '').trim()
    const input = {
      client_email: value('client_email'),
      client_name: value('client_name'),
      client_business: value('client_business'),
      language,
      page: visitedPage(),
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      read: readPages(),
      source: globalThis.visitSource,
    }
    if (isOpen) session.logIn(input)
    else session.leaveMessage(input)
  }

  return (
    <form
      ref={form}
      noValidate
      className="chat-body grid content-start gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        start()
      }}
    >
      <div role="status">{!isOpen && <LazyComponent load={loadClosedMeanwhile} with={{ session, availability, onLeave }} />}</div>
      {isOpen && wait.text && <p lang={wait.lang}>{wait.text}</p>}
      {refused && !isCorrected && (
        <p role="alert" className="rounded-field bg-err-soft px-4 py-3 text-err">
          {t(refusals[refused.code], { phone: company.phones.tollFree.display })}
        </p>
      )}
      <TextArea
        label={t('problem')}
        rows={2}
        maxLength={chatMessageMax}
        defaultValue={problem}
        data-first={first ? undefined : ''}
        onChange={({ target }) => {
          setProblem(target.value)
          session.replaceUnsentText(target.value)
        }}
      />
      {!refused && problem.trim() && <LazyComponent load={loadAnswers} with={{ text: problem, place: 'chat' }} />}
      <TextField
        label={t('email')}
        type="email"
        required
        autoComplete="email"
        maxLength={254}
        {...fieldOf('client_email', t('emailMissing'))}
      />
      <TextField label={t('name')} required autoComplete="name" maxLength={200} {...fieldOf('client_name', t('nameMissing'))} />
      <TextField
        label={t('business')}
        optional
        autoComplete="organization"
        maxLength={200}
        {...fieldOf('client_business', t('loginInvalid'))}
      />
      <p className="text-sm text-ink-2">
        {t(retention.unit, { count: retention.count })}{' '}
        <Link to="/about/personal_information" className="underline" onClick={onLeave}>
          {t('privacy')}
        </Link>
      </p>
      <div className="chat-start">
        <Button type="submit" wide>
          {t(isOpen ? 'start' : 'leaveMessage')}
        </Button>
      </div>
    </form>
  )
}
