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
const refusals = { invalid: 'loginInvalid', limited: 'loginLimited', blocked: 'loginBlocked' } as const

type PanelLoginProps = {
  error: SessionState['loginError']
  availability: ChatAvailability | null
  onStart: (input: LoginInput) => void
  onLeave: () => void
}

/** Who is at the counter. It is gone while the chat connects, so it cannot be sent twice. */
export function PanelLogin({ error, availability, onStart, onLeave }: PanelLoginProps) {
  const t = useTexts(texts)
  const language = useLanguage()
  const form = useRef<HTMLFormElement>(null)
  const days = availability?.retention_days ?? Math.round(company.retention.chatMonths * daysPerMonth)
  const wait = pickVariant(language, availability?.expected_wait ?? '', availability?.expected_wait_en)
  const [wrong, setWrong] = useState<'email' | 'name' | null>(null)

  const start = () => {
    const data = new FormData(form.current ?? undefined)
    const value = (name: string) => String(data.get(name) ?? '').trim()
    const email = form.current?.querySelector<HTMLInputElement>('input[type=email]')
    const missing = !value('email') || email?.validity.typeMismatch ? 'email' : !value('name') ? 'name' : null
    setWrong(missing)
    if (missing) return form.current?.querySelector<HTMLInputElement>(`[name=${missing}]`)?.focus()
    onStart({
      client_email: value('email'),
      client_name: value('name'),
      client_business: value('business'),
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
      {error && (
        <p role="alert" className="rounded-field bg-err-soft px-4 py-3 text-err">
          {t(refusals[error], { phone: company.phones.tollFree.display })}
        </p>
      )}
      <TextField
        data-first=""
        label={t('email')}
        name="email"
        type="email"
        required
        autoComplete="email"
        maxLength={254}
        error={wrong === 'email' ? t('emailMissing') : null}
      />
      <TextField
        label={t('name')}
        name="name"
        required
        autoComplete="name"
        maxLength={200}
        error={wrong === 'name' ? t('nameMissing') : null}
      />
      <TextField label={t('business')} name="business" optional autoComplete="organization" maxLength={200} />
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
