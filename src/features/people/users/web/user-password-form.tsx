import { callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Disclosure } from '#src/ui/components/disclosure.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { StatusCard } from '#src/ui/components/status-card.tsx'
import { userTexts } from '../admin-texts.ts'
import type { User } from '../contract.ts'
import { NewPasswordFields } from './new-password-fields.tsx'
import { useNewPassword } from './use-new-password.ts'

/** Gives another person a password; their sessions end. */
export function UserPasswordForm({ user }: { user: User }) {
  const t = useTexts(userTexts)
  const { handleSubmit, busy, outcome, fields } = useNewPassword({
    send: (password) => callApi('PUT', `/api/users/users/${user.id_user}/password`, password),
    done: t('done'),
    failed: t('failed'),
  })

  return (
    <Disclosure title={t('changePassword')}>
      <form method="post" noValidate onSubmit={handleSubmit} className="grid max-w-md gap-5 text-ink">
        <NewPasswordFields {...fields} />
        <StatusCard status={outcome?.status ?? null}>{outcome?.text}</StatusCard>
        <Button type="submit" busy={busy} className="justify-self-start">
          {t('changePassword')}
        </Button>
      </form>
    </Disclosure>
  )
}
