import type { FormEvent, ReactNode } from 'react'
import { useState } from 'react'
import { ApiError } from '#src/ui/api.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { TextField } from '#src/ui/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { passwordTexts } from '#src/features/users/password-texts.ts'
import { profileTexts } from '../profile-texts.ts'

type Work = (password?: string) => Promise<void>
type Asked = { work: Work; wrong: boolean }

/**
 * Runs a change of what protects the account; where the server wants the password again it is asked for
 * and the change is tried once more. `ask` asks at once.
 */
export function useConfirmed(onError: (error: unknown) => void) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [busy, setBusy] = useState(false)

  const run = async (work: Work, password?: string) => {
    setBusy(true)
    try {
      await work(password)
      setAsked(null)
    } catch (error) {
      const refusal = error instanceof ApiError ? error.errors.find((one) => one.path === 'password')?.message : undefined
      if (refusal) setAsked({ work, wrong: refusal === 'wrong password' })
      else {
        setAsked(null)
        onError(error)
      }
    } finally {
      setBusy(false)
    }
  }

  const dialog: ReactNode = asked && (
    <PasswordDialog
      wrong={asked.wrong}
      busy={busy}
      onCancel={() => setAsked(null)}
      onGive={(password) => void run(asked.work, password)}
    />
  )
  return { busy, run: (work: Work) => run(work), ask: (work: Work) => setAsked({ work, wrong: false }), dialog }
}

type PasswordDialogProps = { wrong: boolean; busy: boolean; onCancel: () => void; onGive: (password: string) => void }

function PasswordDialog({ wrong, busy, onCancel, onGive }: PasswordDialogProps) {
  const t = useTexts(profileTexts)
  const p = useTexts(passwordTexts)
  const handleSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    event.stopPropagation()
    const password = new FormData(event.currentTarget).get('password')
    if (typeof password === 'string' && password) onGive(password)
  }
  return (
    <Dialog open title={t('confirmTitle')} onClose={onCancel}>
      <form method="post" noValidate onSubmit={handleSubmit} className="grid gap-5">
        <p>{t('passwordNeeded')}</p>
        <TextField
          label={t('currentPassword')}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          maxLength={256}
          error={wrong ? p('wrong') : null}
        />
        <Button type="submit" busy={busy} className="justify-self-end">
          {t('confirm')}
        </Button>
      </form>
    </Dialog>
  )
}
