import type { FormEvent } from 'react'
import { useState } from 'react'
import { callApi } from '#src/ui/api.ts'
import { Button, ButtonLink } from '#src/ui/components/button.tsx'
import type { Failure } from '#src/ui/forms/failures.ts'
import { failureOf, failureTexts, fieldErrorTexts } from '#src/ui/forms/failures.ts'
import { TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { useHydrated } from '#src/ui/use-hydrated.ts'
import { passwordPageTexts } from '../password-page-texts.ts'

/** Requests a link by email; shows the same message whether or not the address is known. */
export function ForgottenForm() {
  const t = useTexts(passwordPageTexts)
  const f = useTexts(failureTexts)
  const e = useTexts(fieldErrorTexts)
  const isHydrated = useHydrated()
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Failure | 'asked' | null>(null)

  const handleSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const email = new FormData(event.currentTarget).get('email')
    setBusy(true)
    try {
      await callApi('POST', '/api/auth/forgotten', { email })
      setOutcome('asked')
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
        {outcome === 'asked' && <p className="rounded-card bg-ok-soft px-5 py-4">{t('asked')}</p>}
        {outcome && outcome !== 'asked' && outcome !== 'invalid' && (
          <p className="rounded-card bg-err-soft px-5 py-4 font-bold text-err">{f(outcome)}</p>
        )}
      </div>
      <Button type="submit" busy={busy} disabled={!isHydrated} wide>
        {t('ask')}
      </Button>
      <ButtonLink to="/admin/login" variant="link" className="justify-self-start">
        {t('toLogin')}
      </ButtonLink>
    </form>
  )
}
