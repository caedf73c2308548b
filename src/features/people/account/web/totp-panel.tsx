import './recovery-codes.css'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { callApi } from '#src/ui/api.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { Card } from '#src/ui/components/card.tsx'
import { ConfirmDialog } from '#src/ui/components/dialog.tsx'
import { StatusCard } from '#src/ui/components/status-card.tsx'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { TotpSetUp, TotpState } from '../../contract.ts'
import { profileTexts } from '../profile-texts.ts'

/** Two-factor: set-up with the QR code, recovery codes shown once, removal. */
export function TotpPanel({ state }: { state: TotpState }) {
  const t = useTexts(profileTexts)
  const f = useTexts(failureTexts)
  const { revalidate } = useRevalidator()
  const [setUp, setSetUp] = useState<TotpSetUp | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [isConfirmingRemoval, setConfirmingRemoval] = useState(false)

  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    setFailure(null)
    try {
      await work()
    } catch (error) {
      console.warn(error)
      setFailure(f(failureOf(error)))
    } finally {
      setBusy(false)
    }
  }
  const begin = async () => setSetUp(await callApi<TotpSetUp>('POST', '/api/auth/me/totp'))
  const renew = async () => {
    setCodes(await callApi<string[]>('POST', '/api/auth/me/totp/recovery_codes'))
    await revalidate()
  }
  const remove = async () => {
    setConfirmingRemoval(false)
    await callApi('DELETE', '/api/auth/me/totp')
    await revalidate()
  }
  const showCodes = (made: string[]) => {
    setSetUp(null)
    setCodes(made)
    // Where the group requires 2FA, the rest of the administration is accessible now.
    void revalidate()
  }
  const forgetCodes = () => {
    setCodes(null)
    void revalidate()
  }

  return (
    <Card>
      <div className="mb-1 flex flex-wrap items-center gap-3">
        <h2 className="text-xl">{t('totp')}</h2>
        <Badge tone={state.enabled ? 'ok' : 'neutral'}>{t(state.enabled ? 'totpOn' : 'totpOff')}</Badge>
      </div>
      <p className="mb-5 text-ink-2">{t('totpIntro')}</p>
      <div className={failure ? 'mb-5' : undefined}>
        <StatusCard status={failure ? 'error' : null}>{failure}</StatusCard>
      </div>
      {codes && <RecoveryCodes codes={codes} onCodesStored={forgetCodes} />}
      {!codes && setUp && <TotpSetUpForm setUp={setUp} onConfirmed={showCodes} />}
      {!codes && !setUp && !state.enabled && (
        <Button busy={busy} onClick={() => void run(begin)}>
          {t('begin')}
        </Button>
      )}
      {!codes && state.enabled && (
        <div className="grid gap-4">
          <p>{t('codesLeft', { count: state.recovery_codes_left })}</p>
          <div className="flex flex-wrap gap-3">
            <Button variant="secondary" size="small" busy={busy} onClick={() => void run(renew)}>
              {t('newCodes')}
            </Button>
            <Button
              variant="danger"
              size="small"
              aria-label={t('removeTitle')}
              disabled={busy}
              onClick={() => setConfirmingRemoval(true)}
            >
              {t('remove')}
            </Button>
          </div>
        </div>
      )}
      <ConfirmDialog
        open={isConfirmingRemoval}
        title={t('removeTitle')}
        consequence={t('removeConsequence')}
        confirmLabel={t('remove')}
        onCancel={() => setConfirmingRemoval(false)}
        onConfirm={() => void run(remove)}
      />
    </Card>
  )
}

/** Shown once: they stay until the user confirms that they are stored. */
function RecoveryCodes({ codes, onCodesStored }: { codes: string[]; onCodesStored: () => void }) {
  const t = useTexts(profileTexts)
  const [copied, setCopied] = useState(false)
  // The clipboard requires https or localhost.
  const canCopy = 'clipboard' in navigator
  const copy = async () => {
    await navigator.clipboard.writeText(codes.join('\n'))
    setCopied(true)
  }
  return (
    <div className="recovery-codes grid gap-4">
      <h3>{t('codesTitle')}</h3>
      <p role="status">{t('codesIntro')}</p>
      <ol className="tabular grid grid-cols-2 gap-x-8 gap-y-2 rounded-card bg-paper px-6 py-4 font-mono sm:max-w-md">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="recovery-actions flex flex-wrap gap-3">
        {canCopy && (
          <Button variant="secondary" onClick={() => void copy()}>
            {t(copied ? 'copied' : 'copy')}
          </Button>
        )}
        <Button variant="secondary" onClick={() => print()}>
          {t('print')}
        </Button>
        <Button onClick={onCodesStored}>{t('codesStored')}</Button>
      </div>
    </div>
  )
}

type TotpSetUpFormProps = { setUp: TotpSetUp; onConfirmed: (codes: string[]) => void }

/** QR code, the key for manual entry, and the field for the first code. */
function TotpSetUpForm({ setUp, onConfirmed }: TotpSetUpFormProps) {
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
          <span>{t('bySecret')}</span>
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
