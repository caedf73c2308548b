import type { FormEvent } from 'react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { passwordTexts } from '../texts.ts'
import { recentSignInProblem } from '#src/lib/problem-types.ts'
import { ApiError, callApi, recoverRefusals } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { StatusCard } from '#src/ui/components/status-card.tsx'
import { profileTexts } from '../../account/profile-texts.ts'

type User = { username: string; hasTotp: boolean }
type Answer = (isProven: boolean) => void
type Waiting = { answer: Promise<boolean>; settle: Answer }

/**
 * When an API call fails for want of a recent sign-in, asks for the password or a code and repeats the call. Other calls that
 * fail meanwhile wait for the same dialog.
 */
export function RecentSignIn(user: User) {
  const waiting = useRef<Waiting | null>(null)
  const [open, setOpen] = useState(false)

  useEffect(
    () =>
      recoverRefusals(async (refused, repeat) => {
        const problem = (await refused
          .clone()
          .json()
          .catch(() => null)) as { type?: unknown } | null
        if (problem?.type !== recentSignInProblem) return refused
        waiting.current ??= newWaiting()
        setOpen(true)
        return (await waiting.current.answer) ? repeat() : refused
      }),
    [],
  )
  const settle = useCallback((isProven: boolean) => {
    setOpen(false)
    waiting.current?.settle(isProven)
    waiting.current = null
  }, [])

  return open && <ProofDialog user={user} onSettled={settle} />
}

function newWaiting(): Waiting {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  return { answer: promise, settle: resolve }
}

/** The dialog; closing it rejects the waiting call with its original error. */
function ProofDialog({ user, onSettled }: { user: User; onSettled: Answer }) {
  const t = useTexts(profileTexts)
  const p = useTexts(passwordTexts)
  const f = useTexts(failureTexts)
  const [kind, setKind] = useState<'password' | 'code'>('password')
  const [value, setValue] = useState('')
  const [refusal, setRefusal] = useState<{ isWrong: boolean; text: string } | null>(null)
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  // After the dialog opened, which focuses its first button.
  useEffect(() => field.current?.focus(), [kind, refusal])

  const give = async () => {
    setBusy(true)
    try {
      await callApi('POST', '/api/auth/me/proof', { [kind]: value })
      onSettled(true)
    } catch (error) {
      const isWrong = error instanceof ApiError && error.errors.length > 0
      // The session ended: the repeated call reports it.
      if (!isWrong && failureOf(error) === 'signedOut') return onSettled(true)
      setRefusal({ isWrong, text: isWrong ? (kind === 'password' ? p('wrong') : t('wrongCode')) : f(failureOf(error)) })
      setValue('')
    } finally {
      setBusy(false)
    }
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    // React events bubble to the form that contains the dialog.
    event.stopPropagation()
    if (!busy && value.trim() !== '') void give()
  }
  const change = () => {
    setKind(kind === 'password' ? 'code' : 'password')
    setValue('')
    setRefusal(null)
  }

  return (
    <Dialog open title={t('confirmTitle')} onClose={() => onSettled(false)}>
      <form method="post" noValidate onSubmit={handleSubmit} className="grid gap-5">
        <input type="text" name="username" autoComplete="username" value={user.username} readOnly hidden />
        <p>{t(kind === 'password' ? 'passwordNeeded' : 'codeNeeded')}</p>
        <TextField
          key={kind}
          ref={field}
          label={t(kind === 'password' ? 'currentPassword' : 'verificationCode')}
          name={kind}
          type={kind === 'password' ? 'password' : 'text'}
          autoComplete={kind === 'password' ? 'current-password' : 'one-time-code'}
          autoCapitalize="none"
          spellCheck={false}
          required
          maxLength={kind === 'password' ? 256 : 20}
          value={value}
          error={refusal?.isWrong ? refusal.text : null}
          onChange={(event) => setValue(event.target.value)}
        />
        <StatusCard status={refusal && !refusal.isWrong ? 'error' : null}>{refusal?.text}</StatusCard>
        <div className="flex flex-wrap items-center justify-end gap-3">
          {user.hasTotp && (
            <Button variant="secondary" onClick={change}>
              {t(kind === 'password' ? 'useCode' : 'usePassword')}
            </Button>
          )}
          <Button type="submit" busy={busy}>
            {t('confirm')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
