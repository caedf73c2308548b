import type { FormEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { Button, ButtonAnchor } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { Profile } from '../../contract.ts'
import { sessionEndedTexts, texts } from '../texts.ts'
import { loginFailureOf, sendSignIn } from './session.ts'
import type { LoginFailure } from './session.ts'

/** A key within this time was meant for the field that had the focus before the dialog. */
const keyPauseMs = 1_000

type SessionEndedProps = {
  profile: Profile
  /** The server no longer knows the session of this page. */
  isEnded: boolean
  /** Called with the same person's new session. */
  onSignedIn: () => void
}

/** The sign-in over the work: what stands in a field stays. Another person signs in on the page for that. */
export function SessionEnded({ profile, isEnded, onSignedIn }: SessionEndedProps) {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (!isEnded) return setOpen(false)
    let timer = setTimeout(() => setOpen(true), keyPauseMs)
    const waitForPause = () => {
      clearTimeout(timer)
      timer = setTimeout(() => setOpen(true), keyPauseMs)
    }
    addEventListener('keydown', waitForPause, true)
    return () => {
      clearTimeout(timer)
      removeEventListener('keydown', waitForPause, true)
    }
  }, [isEnded])
  return isOpen && <SignInDialog profile={profile} onClose={() => setOpen(false)} onSignedIn={onSignedIn} />
}

type SignInDialogProps = Pick<SessionEndedProps, 'profile' | 'onSignedIn'> & { onClose: () => void }

function SignInDialog({ profile, onClose, onSignedIn }: SignInDialogProps) {
  const t = useTexts(texts)
  const s = useTexts(sessionEndedTexts)
  const [awaitsCode, setAwaitsCode] = useState(false)
  const [value, setValue] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<LoginFailure | null>(null)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [awaitsCode, failure])

  const submit = async () => {
    setBusy(true)
    setFailure(null)
    try {
      const response = await sendSignIn(awaitsCode ? { code: value } : { username: profile.username, password: value })
      setValue('')
      if (response.status === 'totp_required') return setAwaitsCode(true)
      if (response.profile.id_user === profile.id_user) onSignedIn()
      else location.assign('/admin/panel')
    } catch (error) {
      setFailure(loginFailureOf(error))
    } finally {
      setBusy(false)
    }
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (!busy && value !== '') void submit()
  }
  return (
    <Dialog open title={s('title')} onClose={onClose}>
      <form method="post" noValidate onSubmit={handleSubmit} className="grid gap-5" translate="no">
        <p>{s('intro')}</p>
        <TextField label={t('username')} name="username" autoComplete="username" value={profile.username} readOnly />
        <TextField
          key={awaitsCode ? 'code' : 'password'}
          ref={field}
          label={t(awaitsCode ? 'code' : 'password')}
          name={awaitsCode ? 'code' : 'password'}
          type={awaitsCode ? 'text' : 'password'}
          autoComplete={awaitsCode ? 'one-time-code' : 'current-password'}
          required
          maxLength={awaitsCode ? 20 : 256}
          value={value}
          onChange={({ target }) => setValue(target.value)}
        />
        <div role="alert">
          {failure && <p className="font-bold text-err">{failure === 'failed' ? t('failedHint') : t(failure)}</p>}
        </div>
        <div className="flex flex-wrap items-center justify-end gap-3">
          <ButtonAnchor variant="link" href="/admin/login">
            {s('other')}
          </ButtonAnchor>
          <Button type="submit" busy={busy}>
            {s('signIn')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
