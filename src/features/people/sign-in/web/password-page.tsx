import type { FormEvent } from 'react'
import { useEffect, useState } from 'react'
import { describePage } from '#src/ui/page/page-meta.ts'
import { Logo } from '#src/ui/components/logo.tsx'
import type { NewPassword, PasswordRefusal } from '../../users/web/new-password-fields.tsx'
import { NewPasswordFields, refusalOf, refusalOfError } from '../../users/web/new-password-fields.tsx'
import { passwordTexts } from '../../users/password-texts.ts'
import { ApiError, callApi } from '#src/ui/api.ts'
import { Button, ButtonLink } from '#src/ui/components/button.tsx'
import type { Failure } from '#src/ui/forms/failures.ts'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { useTexts } from '#src/ui/language.tsx'
import { useHydrated } from '#src/ui/use-hydrated.ts'
import { passwordPageTexts } from '../password-page-texts.ts'
import type { Route } from './+types/password-page.ts'
import { ForgottenForm } from './forgotten-form.tsx'

export function meta({ matches }: Route.MetaArgs) {
  return [
    ...describePage(matches, passwordPageTexts, 'title', 'description', '/admin/password'),
    { name: 'robots', content: 'noindex' },
    { name: 'referrer', content: 'no-referrer' },
  ]
}

/** With a link's token after the `#`: choose a password. Without: ask for a link. */
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
