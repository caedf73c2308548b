import type { FormEvent } from 'react'
import { useEffect, useState } from 'react'
import { ApiError, callApi } from '#src/ui/api.ts'
import { Button, ButtonLink } from '#src/ui/components/button.tsx'
import { Logo } from '#src/ui/components/logo.tsx'
import type { Failure } from '#src/ui/forms/failures.ts'
import { failureOf, failureTexts, fieldErrorTexts } from '#src/ui/forms/failures.ts'
import { TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { describePage } from '#src/ui/page/page-meta.ts'
import { useHydrated } from '#src/ui/first-load.ts'
import { passwordTexts, passwordPageTexts } from '../texts.ts'
import type { NewPassword, PasswordRefusal } from '../../users/web/new-password-fields.tsx'
import { NewPasswordFields, refusalOf, refusalOfError } from '../../users/web/new-password-fields.tsx'
import type { Route } from './+types/password-page.ts'

export function meta({ matches }: Route.MetaArgs) {
  return [
    ...describePage(matches, passwordPageTexts, 'title', 'description', '/admin/password'),
    { name: 'robots', content: 'noindex' },
    { name: 'referrer', content: 'no-referrer' },
  ]
}

/** With the token of a link after the `#`: form for a new password. Without: form that requests a link. */
export default function PasswordPage() {
  const [token, setToken] = useState<string | null>(null)
  useEffect(() => {
    const read = () => setToken(location.hash.slice(1) || null)
    read()
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  return (
    <main id="content" className="wrap grid min-h-dvh place-content-center gap-6 py-12">
      <Logo />
      <div className="card w-full max-w-md p-6 sm:w-md sm:p-8">{token ? <ChooseForm token={token} /> : <ForgottenForm />}</div>
    </main>
  )
}

function ChooseForm({ token }: { token: string }) {
  const t = useTexts(passwordPageTexts)
  const p = useTexts(passwordTexts)
  const f = useTexts(failureTexts)
  const [value, setValue] = useState<NewPassword>({ new_password: '', confirmation: '' })
  const [refusal, setRefusal] = useState<PasswordRefusal | null>(null)
  const [failure, setFailure] = useState<Failure | 'outOfDate' | null>(null)
  const isHydrated = useHydrated()
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState(false)

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    const found = refusalOf(value)
    setRefusal(found)
    setFailure(null)
    if (found) return
    setBusy(true)
    try {
      await callApi('POST', '/api/auth/password', { token, ...value })
      history.replaceState(history.state, '', location.pathname)
      setDone(true)
    } catch (error) {
      const isOld = error instanceof ApiError && error.errors.some((one) => one.path === 'token')
      setRefusal(refusalOfError(error))
      setFailure(isOld ? 'outOfDate' : refusalOfError(error) ? null : failureOf(error))
    } finally {
      setBusy(false)
    }
  }

  if (done) {
    return (
      <div role="status">
        <h1 className="mb-4 text-3xl">{t('chosen')}</h1>
        <ButtonLink to="/admin/login">{t('toLogin')}</ButtonLink>
      </div>
    )
  }
  return (
    <form method="post" noValidate onSubmit={(event) => void handleSubmit(event)} className="grid gap-5">
      <div>
        <h1 className="mb-2 text-3xl">{t('chooseTitle')}</h1>
        <p className="text-ink-2">{t('chooseIntro')}</p>
      </div>
      <NewPasswordFields value={value} onChange={setValue} refusal={refusal} />
      <div role="alert">
        {(failure !== null || refusal === 'allRequired') && (
          <p className="rounded-card bg-err-soft px-5 py-4 font-bold text-err">
            {refusal === 'allRequired' ? p('allRequired') : failure === 'outOfDate' ? t('outOfDate') : failure && f(failure)}
          </p>
        )}
      </div>
      {failure === 'outOfDate' && (
        <a href="/admin/password" className="font-bold text-brand underline">
          {t('forgottenTitle')}
        </a>
      )}
      <Button type="submit" busy={busy} disabled={!isHydrated} wide>
        {t('choose')}
      </Button>
    </form>
  )
}

/** Requests a link by email; shows the same message whether or not the address is known. */
function ForgottenForm() {
  const t = useTexts(passwordPageTexts)
  const f = useTexts(failureTexts)
  const e = useTexts(fieldErrorTexts)
  const isHydrated = useHydrated()
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Failure | 'requested' | null>(null)

  const handleSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const email = new FormData(event.currentTarget).get('email')
    setBusy(true)
    try {
      await callApi('POST', '/api/auth/forgotten', { email })
      setOutcome('requested')
    } catch (error) {
      setOutcome(failureOf(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <form method="post" noValidate onSubmit={(event) => void handleSubmit(event)} className="grid gap-5">
      <div>
        <h1 className="mb-2 text-3xl">{t('forgottenTitle')}</h1>
        <p className="text-ink-2">{t('forgottenIntro')}</p>
      </div>
      <TextField
        label={t('email')}
        name="email"
        type="email"
        autoComplete="email"
        required
        maxLength={254}
        error={outcome === 'invalid' ? e('invalid e-mail address') : null}
      />
      <div role="status">
        {outcome === 'requested' && <p className="rounded-card bg-ok-soft px-5 py-4">{t('requested')}</p>}
        {outcome && outcome !== 'requested' && outcome !== 'invalid' && (
          <p className="rounded-card bg-err-soft px-5 py-4 font-bold text-err">{f(outcome)}</p>
        )}
      </div>
      <Button type="submit" busy={busy} disabled={!isHydrated} wide>
        {t('sendLink')}
      </Button>
      <ButtonLink to="/admin/login" variant="link" className="justify-self-start">
        {t('toLogin')}
      </ButtonLink>
    </form>
  )
}
