import { useRef, useState } from 'react'
import { company } from '#company/company.ts'
import { pickVariant } from '#src/lib/language/language.ts'
import { Button } from '#src/ui/components/button.tsx'
import { TextField } from '#src/ui/forms/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { texts } from './panel-texts.ts'
import type { ChatAvailability } from '../contract.ts'
import { visitedPage } from './chat-host.ts'
import type { LoginInput, SessionState } from './visitor-session.ts'

const daysPerMonth = 365 / 12
/** In their order on the form. */
const loginFields = ['client_email', 'client_name', 'client_business'] as const
const refusals = { invalid: 'loginInvalid', limited: 'loginLimited', blocked: 'loginBlocked' } as const

type PanelLoginProps = {
  refused: SessionState['refusedLogin']
  availability: ChatAvailability | null
  onStart: (input: LoginInput) => void
  onLeave: () => void
}

/** Name, e-mail and company. It unmounts while the chat connects, so it cannot be sent twice. */
export function PanelLogin({ refused, availability, onStart, onLeave }: PanelLoginProps) {
  const t = useTexts(texts)
  const language = useLanguage()
  const form = useRef<HTMLFormElement>(null)
  const days = availability?.retention_days ?? Math.round(company.retention.chatMonths * daysPerMonth)
  const wait = pickVariant(language, availability?.expected_wait ?? '', availability?.expected_wait_en)
  const [wrong, setWrong] = useState(refused?.fields ?? [])
  const before = refused?.input
  const first = loginFields.find((name) => wrong.includes(name)) ?? loginFields[0]
  // Nothing is checked here: the server's refusal marks a field until it is changed.
  const fieldOf = (name: (typeof loginFields)[number], error: string) => ({
    name,
    defaultValue: before?.[name],
    error: wrong.includes(name) ? error : null,
    'data-first': name === first ? '' : undefined,
    onChange: () => setWrong(wrong.filter((one) => one !== name)),
  })

  const start = () => {
    const data = new FormData(form.current ?? undefined)
    const value = (name: string) => String(data.get(name) ?? '').trim()
    onStart({
      client_email: value('client_email'),
      client_name: value('client_name'),
      client_business: value('client_business'),
      language,
      page: visitedPage(),
    })
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
      <p>{t('hello')}</p>
      {wait.text && <p lang={wait.lang}>{wait.text}</p>}
      {refused && (
        <p role="alert" className="rounded-field bg-err-soft px-4 py-3 text-err">
          {t(refusals[refused.code], { phone: company.phones.tollFree.display })}
        </p>
      )}
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
        {days >= 60 ? t('kept', { count: Math.round(days / daysPerMonth) }) : t('keptDays', { count: days })}{' '}
        <Link to="/about/personal_information" className="underline" onClick={onLeave}>
          {t('privacy')}
        </Link>
      </p>
      <Button type="submit" wide>
        {t('start')}
      </Button>
    </form>
  )
}
