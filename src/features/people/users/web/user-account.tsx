import { useState } from 'react'
import { useLocation, useNavigate, useRevalidator } from 'react-router'
import { hasRight } from '#src/lib/rights.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { ConfirmDialog } from '#src/ui/components/confirm-dialog.tsx'
import { Disclosure } from '#src/ui/components/disclosure.tsx'
import { StatusCard } from '#src/ui/components/status-card.tsx'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { useProfile } from '../../sign-in/web/session.ts'
import { userTexts } from '../admin-texts.ts'
import type { Invitation, User } from '../../contract.ts'
import { NewPasswordFields, useNewPassword } from './new-password-fields.tsx'

type Key = keyof (typeof userTexts)['fr']
type Action = { label: Key; method: 'POST' | 'PUT' | 'DELETE'; path: string; done: Key; failed: Key; asks?: boolean }
type Outcome = { status: 'success' | 'error'; text: string; link?: string }

const actions = {
  lock: { label: 'lock', method: 'PUT', path: '/lock', done: 'done', failed: 'failed', asks: true },
  unlock: { label: 'unlock', method: 'PUT', path: '/unlock', done: 'done', failed: 'failed' },
  totp: { label: 'resetTotp', method: 'DELETE', path: '/totp', done: 'totpReset', failed: 'totpFailed', asks: true },
  chances: { label: 'resetChances', method: 'POST', path: '/totp_chances', done: 'chancesReset', failed: 'chancesFailed' },
  sessions: { label: 'endSessions', method: 'DELETE', path: '/sessions', done: 'done', failed: 'failed', asks: true },
  invite: { label: 'invite', method: 'POST', path: '/invitation', done: 'invitationSent', failed: 'failed' },
  link: { label: 'sendLink', method: 'POST', path: '/invitation', done: 'linkSent', failed: 'failed' },
  remove: { label: 'remove', method: 'DELETE', path: '', done: 'deleted', failed: 'deleteFailed', asks: true },
} as const satisfies Record<string, Action>

/** What an administrator of users may do with an account. */
export function UserAccount({ user }: { user: User }) {
  const t = useTexts(userTexts)
  const f = useTexts(failureTexts)
  const { rights } = useProfile()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const [asked, setAsked] = useState<Action | null>(null)
  const [busy, setBusy] = useState(false)
  const { state } = useLocation() as { state: { link?: string } | null }
  const [outcome, setOutcome] = useState<Outcome | null>(() =>
    state?.link ? { status: 'success', text: t('invitationLink'), link: state.link } : null,
  )
  const language = useLanguage()
  const canAdminister = hasRight(rights, 'users', 'administrator')
  if (!hasRight(rights, 'users', 'read_write')) return null

  const run = async (action: Action) => {
    setAsked(null)
    setBusy(true)
    try {
      const answer = await callApi<Invitation | undefined>(action.method, `/api/users/users/${user.id_user}${action.path}`)
      if (action === actions.remove) return await navigate('/admin/users', { replace: true })
      const link = action === actions.invite ? answer?.link : null
      setOutcome({ status: 'success', text: link ? t('invitationLink') : t(action.done), ...(link ? { link } : {}) })
      await revalidate()
    } catch (error) {
      console.warn(error)
      setOutcome({ status: 'error', text: `${t(action.failed)}. ${f(failureOf(error))}` })
    } finally {
      setBusy(false)
    }
  }
  const button = (action: Action, variant: 'secondary' | 'danger' = 'secondary') => (
    <Button variant={variant} size="small" disabled={busy} onClick={() => (action.asks ? setAsked(action) : void run(action))}>
      {t(action.label)}
    </Button>
  )

  return (
    <section className="mt-10 grid gap-5 border-t border-line pt-8">
      <h2 className="text-xl">{t('account')}</h2>
      <p className="text-sm text-ink-2">
        {t('created', { date: formatDateTime(user.created_date, language, { month: 'long' }) })}
        {'\u00a0· '}
        {t('updated', { date: formatDateTime(user.updated_date, language, { month: 'long' }) })}
        <br />
        {t('twoFactorIs', { state: t(user.totp_enabled ? 'on' : 'off') })}
        {user.totp_enabled && ` (${t('chances', { count: user.totp_chances })})`}
      </p>
      <div className="flex flex-wrap gap-3">
        {canAdminister && button(user.locked ? actions.unlock : actions.lock)}
        {canAdminister && user.totp_enabled && button(actions.totp)}
        {canAdminister && user.totp_enabled && button(actions.chances)}
        {canAdminister && button(actions.sessions)}
        {button(user.invited ? actions.invite : actions.link)}
        {button(actions.remove, 'danger')}
      </div>
      <StatusCard status={outcome?.status ?? null} onHide={outcome?.link ? undefined : () => setOutcome(null)}>
        {outcome?.text}
        {outcome?.link && <code className="mt-2 block break-all">{outcome.link}</code>}
      </StatusCard>
      {canAdminister && <UserPasswordForm user={user} />}
      <ConfirmDialog
        open={asked !== null}
        title={asked ? t('actionOn', { action: t(asked.label), name: user.display_name }) : undefined}
        confirmLabel={asked ? t(asked.label) : undefined}
        onCancel={() => setAsked(null)}
        onConfirm={() => asked && void run(asked)}
      />
    </section>
  )
}

/** Gives another person a password; their sessions end. */
function UserPasswordForm({ user }: { user: User }) {
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
