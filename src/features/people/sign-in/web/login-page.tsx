import type { FormEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Button, ButtonAnchor, ButtonLink } from '#src/ui/components/button.tsx'
import { Logo } from '#src/ui/components/logo.tsx'
import { TextField } from '#src/ui/forms/field.tsx'
import { addressInLanguage, requestedLanguage } from '#src/lib/language/language.ts'
import { useTexts } from '#src/ui/language.tsx'
import { describePage } from '#src/ui/page/page-meta.ts'
import { useHydrated } from '#src/ui/first-load.ts'
import { passwordPageTexts, texts } from '../texts.ts'
import type { Route } from './+types/login-page.ts'
import type { LoginFailure } from './session.ts'
import { loginFailureOf, logOff, sendSignIn } from './session.ts'

export function meta({ matches }: Route.MetaArgs) {
  return [...describePage(matches, texts, 'title', 'intro', '/admin/login'), { name: 'robots', content: 'noindex' }]
}

/** Opening this page signs the user out; a successful sign-in leads to the panel. */
export default function LoginPage() {
  const t = useTexts(texts)
  const p = useTexts(passwordPageTexts)
  const isHydrated = useHydrated()
  const { awaitsCode, busy, failure, handleSubmit } = useLogin()

  return (
    <main id="content" className="wrap grid min-h-dvh place-content-center gap-6 py-12">
      <Logo />
      <div className="card w-full max-w-md p-6 sm:w-md sm:p-8">
        <h1 className="mb-2 text-3xl">{t('title')}</h1>
        <p className="mb-6 text-ink-2">{awaitsCode ? t('codeIntro') : t('intro')}</p>
        <noscript>
          <p className="mb-6 rounded-card bg-warn-soft px-5 py-4">{t('needsScript')}</p>
        </noscript>
        <form method="post" onSubmit={(event) => void handleSubmit(event)} className="grid gap-5">
          {awaitsCode ? <CodeField /> : <NameAndPassword />}
          <div role="alert">
            {failure && (
              <p className="rounded-card bg-err-soft px-5 py-4">
                <strong className="block text-err">{t('failed')}</strong>
                <span>{failure === 'failed' ? t('failedHint') : t(failure)}</span>
              </p>
            )}
          </div>
          <Button type="submit" busy={busy} disabled={!isHydrated} wide>
            {t('login')}
          </Button>
        </form>
      </div>
      <div className="flex flex-wrap justify-between gap-4">
        <ButtonAnchor variant="link" href="/">
          {t('backToSite')}
        </ButtonAnchor>
        <ButtonLink variant="link" to="/admin/password">
          {p('forgotten')}
        </ButtonLink>
      </div>
    </main>
  )
}

function CodeField() {
  const t = useTexts(texts)
  return (
    <TextField
      label={t('code')}
      hint={t('codeLost')}
      name="code"
      required
      autoComplete="one-time-code"
      maxLength={20}
      autoFocus
    />
  )
}

function NameAndPassword() {
  const t = useTexts(texts)
  return (
    <>
      <TextField label={t('username')} name="username" required autoComplete="username" autoCapitalize="none" maxLength={80} />
      <TextField label={t('password')} name="password" type="password" required autoComplete="current-password" maxLength={256} />
    </>
  )
}

/** Signs the user out first; then name and password, and a code where two-factor is on. */
function useLogin() {
  const navigate = useNavigate()
  const { search, state } = useLocation() as { search: string; state: { from?: string } | null }
  const signedOut = useRef<Promise<void>>(undefined)
  const [awaitsCode, setAwaitsCode] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<LoginFailure | null>(null)

  useEffect(() => {
    signedOut.current ??= logOff().catch((error: unknown) => console.warn(error))
  }, [])

  const handleSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setBusy(true)
    setFailure(null)
    try {
      await signedOut.current
      const response = await sendSignIn(
        awaitsCode ? { code: form.get('code') } : { username: form.get('username'), password: form.get('password') },
      )
      if (response.status === 'totp_required') return setAwaitsCode(true)
      const next = response.profile.totp_required ? '/admin/profile' : '/admin/panel'
      await navigate(addressInLanguage(next, requestedLanguage(search)), { replace: true, state })
    } catch (error) {
      setFailure(loginFailureOf(error))
    } finally {
      setBusy(false)
    }
  }

  return { awaitsCode, busy, failure, handleSubmit }
}
