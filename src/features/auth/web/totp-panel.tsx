import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { callApi } from '#src/ui/api.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { failureOf, failureTexts } from '#src/ui/failures.ts'
import { useTexts } from '#src/ui/language.tsx'
import { StatusCard } from '#src/ui/status-card.tsx'
import type { TotpSetUp, TotpState } from '../contract.ts'
import { profileTexts } from '../profile-texts.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TotpSetUpForm } from './totp-set-up-form.tsx'
import { useConfirmed } from './use-confirmed.tsx'

/** Two-factor: set-up with the QR code, recovery codes shown once, removal. */
export function TotpPanel({ state }: { state: TotpState }) {
  const t = useTexts(profileTexts)
  const f = useTexts(failureTexts)
  const { revalidate } = useRevalidator()
  const [setUp, setSetUp] = useState<TotpSetUp | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const confirmed = useConfirmed((error) => setFailure(f(failureOf(error))))

  const begin = async (password?: string) =>
    setSetUp(await callApi<TotpSetUp>('POST', '/api/auth/me/totp', password === undefined ? undefined : { password }))
  const renew = async (password?: string) => {
    setCodes(await callApi<string[]>('POST', '/api/auth/me/totp/recovery_codes', { password }))
  }
  const remove = async (password?: string) => {
    await callApi('DELETE', '/api/auth/me/totp', { password })
    await revalidate()
  }
  const showCodes = (made: string[]) => {
    setSetUp(null)
    setCodes(made)
    // The rest of the administration opens now, where the group asked for this.
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
      <StatusCard status={failure ? 'error' : null}>{failure}</StatusCard>
      {codes && <RecoveryCodes codes={codes} onKept={forgetCodes} />}
      {!codes && setUp && <TotpSetUpForm setUp={setUp} onConfirmed={showCodes} />}
      {!codes && !setUp && !state.enabled && (
        <Button busy={confirmed.busy} onClick={() => void confirmed.run(begin)}>
          {t('begin')}
        </Button>
      )}
      {!codes && state.enabled && (
        <div className="grid gap-4">
          <p>{t('codesLeft', { count: state.recovery_codes_left })}</p>
          <div className="flex flex-wrap gap-3">
            <Button variant="secondary" size="small" onClick={() => confirmed.ask(renew)}>
              {t('newCodes')}
            </Button>
            <Button variant="danger" size="small" aria-label={t('removeTitle')} onClick={() => confirmed.ask(remove)}>
              {t('remove')}
            </Button>
          </div>
        </div>
      )}
      {confirmed.dialog}
    </Card>
  )
}
