import type { FormEvent } from 'react'
import { useState } from 'react'
import { callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { TotpSetUp } from '../../contract.ts'
import { profileTexts } from '../profile-texts.ts'

type TotpSetUpFormProps = { setUp: TotpSetUp; onConfirmed: (codes: string[]) => void }

/** QR code, the key for manual entry, and the field for the first code. */
export function TotpSetUpForm({ setUp, onConfirmed }: TotpSetUpFormProps) {
  const t = useTexts(profileTexts)
  const f = useTexts(failureTexts)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)

  const handleSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = new FormData(event.currentTarget).get('code')
    setBusy(true)
    setRefusal(null)
    try {
      onConfirmed(await callApi<string[]>('POST', '/api/auth/me/totp/confirm', { code }))
    } catch (error) {
      const failure = failureOf(error)
      setRefusal(failure === 'invalid' ? t('wrongCode') : f(failure))
    } finally {
      setBusy(false)
    }
  }

  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => void handleSubmit(event)}
      className="grid gap-5 sm:grid-cols-[15rem_minmax(0,1fr)]"
    >
      <img src={setUp.qr} alt={t('qr')} width={240} height={240} className="rounded-card border border-line" />
      <div className="grid content-start gap-4">
        <p>{t('scan')}</p>
        <p className="text-sm text-ink-2">
          {t('bySecret')}
          <code className="mt-1 block break-all text-ink">{setUp.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
        </p>
        <TextField
          label={t('code')}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          maxLength={10}
          error={refusal}
        />
        <Button type="submit" busy={busy} className="justify-self-start">
          {t('activate')}
        </Button>
      </div>
    </form>
  )
}
