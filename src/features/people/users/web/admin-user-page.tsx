import { useEffect, useRef, useState } from 'react'
import { useNavigate, useLocation, useRevalidator } from 'react-router'
import { EntryForm } from '#src/features/content/web/entry-form.tsx'
import { hasRight } from '#src/lib/rights.ts'
import type { Language } from '#src/lib/language/language.ts'
import { foldText } from '#src/lib/text/plain-text.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { getJson, callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { CopyButton } from '#src/ui/components/copy-button.tsx'
import { ConfirmDialog } from '#src/ui/components/dialog.tsx'
import { Disclosure } from '#src/ui/components/card.tsx'
import { StatusCard } from '#src/ui/components/status-card.tsx'
import { hideSavedNotice } from '#src/ui/components/toast.tsx'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { SelectField, TextField } from '#src/ui/forms/field.tsx'
import { useEntryForm, useFieldProps } from '#src/ui/forms/use-entry-form.ts'
import { useTexts, useLanguage } from '#src/ui/language.tsx'
import { useBack } from '#src/ui/page/use-back.ts'
import type { GroupChoice, User, InvitedUser, Invitation } from '../../contract.ts'
import { useProfile } from '../../sign-in/web/session.ts'
import { userTexts } from '../admin-texts.ts'
import type { Route } from './+types/admin-user-page.ts'
import { UserState } from './admin-users-page.tsx'
import { DepartureDialog } from './departure-dialog.tsx'
import { LanguagesField } from './languages-field.tsx'
import { NewPasswordFields, useNewPassword } from './new-password-fields.tsx'

export async function clientLoader({ params: { id_user: id } }: Route.ClientLoaderArgs) {
  const [user, groups, team] = await Promise.all([
    id === undefined ? undefined : getJson<User>(`/api/users/users/${encodeURIComponent(id)}`),
    getJson<GroupChoice[]>('/api/users/users/groups'),
    getJson<TeamMember[]>('/api/employees/employes'),
  ])
  return { user, groups, team }
}

type TeamMember = { id_employe: number; nom: string; titre: string; email: string }

/** A new or existing user: the state of a page, an invitation link above all, ends with the user it belongs to. */
export default function AdminUserPage({ loaderData }: Route.ComponentProps) {
  return <UserPage key={loaderData.user?.id_user ?? 'new'} {...loaderData} />
}

function UserPage({ user, groups, team }: Route.ComponentProps['loaderData']) {
  const { state } = useLocation() as { state: { link?: string } | null }
  const [link, setLink] = useState<string | null>(null)
  if (!user) return <UserForm groups={groups} team={team} />
  return (
    <>
      <UserForm
        key={`${user.id_user}-${user.version}`}
        user={user}
        groups={groups}
        team={team}
        invitation={link ?? state?.link ?? null}
      />
      <UserAccount user={user} onLink={setLink} />
    </>
  )
}

type Values = {
  username: string
  first_name: string
  last_name: string
  display_name: string
  email: string
  id_group: number | null
  id_employe: number | null
  languages: Language[]
  version?: number
}

const path = '/api/users/users'
const empty: Values = {
  username: '',
  first_name: '',
  last_name: '',
  display_name: '',
  email: '',
  id_group: null,
  id_employe: null,
  languages: ['fr', 'en'],
}

type UserFormProps = { user?: User; groups: GroupChoice[]; team: TeamMember[]; invitation?: string | null }

/** Names, address and access group of a user; saving a new one mails the invitation. */
function UserForm({ user, groups, team, invitation = null }: UserFormProps) {
  const t = useTexts(userTexts)
  const navigate = useNavigate()
  const goBack = useBack('/admin/users')
  const form = useEntryForm<Values, User | InvitedUser>({
    draftKey: `users/${user?.id_user ?? 'new'}`,
    initial: user ? valuesOf(user) : empty,
    readCurrent: (current) => valuesOf(current as User),
    save: (values) => (user ? callApi('PUT', `${path}/${user.id_user}`, values) : callApi('POST', path, values)),
    onSaved: (saved) => {
      const link = 'invitation' in saved ? saved.invitation.link : null
      // No mail server: the link is shown on the user's page.
      if (!link) return goBack()
      // The link says that the account is there.
      hideSavedNotice()
      void navigate(`/admin/user_edit/${saved.id_user}`, { replace: true, state: { link } })
    },
    savedAs: (saved) => ({ name: saved.display_name, path: `/admin/user_edit/${saved.id_user}` }),
    notice: user ? 'saved' : 'created',
    required: ['username', 'id_group', 'display_name', 'email'],
  })
  const { values, change } = form
  const { errorOf, textOf } = useFieldProps(form, {
    taken: t('taken'),
    'unknown group': t('groupGone'),
    'letters, digits, dot and dash only': t('usernameWrong', { example: usernameFrom(values.username) }),
  })
  const wanted = values.email.trim().toLowerCase()
  const proposed = team.find(({ email }) => wanted !== '' && email.trim().toLowerCase() === wanted)
  const teamMember = useRef<HTMLSelectElement>(null)

  return (
    <EntryForm
      title={user ? t('editTitle', { name: user.display_name }) : t('createTitle')}
      subtitle={user && <UserState user={user} />}
      home="/admin/users"
      form={form}
      fields={[
        { key: 'username', label: t('username') },
        { key: 'display_name', label: t('displayName') },
        { key: 'email', label: t('email') },
      ]}
    >
      {invitation && <InvitationLink key={invitation} link={invitation} />}
      <div className="grid gap-6 md:grid-cols-2">
        <TextField
          label={t('username')}
          hint={t('usernameHint')}
          {...textOf('username')}
          maxLength={80}
          autoCapitalize="none"
          autoComplete="off"
        />
        <SelectField
          label={t('group')}
          value={values.id_group ?? ''}
          required
          error={errorOf('id_group')}
          onChange={(event) => change({ id_group: Number(event.target.value) || null })}
        >
          <option value="">{t('chooseGroup')}</option>
          {groups.map((group) => (
            <option key={group.id_group} value={group.id_group} disabled={!group.may_give && group.id_group !== values.id_group}>
              {group.name}
            </option>
          ))}
        </SelectField>
        <TextField label={t('firstName')} optional {...textOf('first_name')} maxLength={200} autoComplete="off" />
        <TextField label={t('lastName')} optional {...textOf('last_name')} maxLength={200} autoComplete="off" />
        <TextField
          label={t('displayName')}
          hint={t('displayNameHint')}
          {...textOf('display_name')}
          maxLength={200}
          autoComplete="off"
        />
        <TextField
          label={t('email')}
          hint={t('emailHint')}
          type="email"
          {...textOf('email')}
          maxLength={254}
          autoComplete="off"
        />
        <SelectField
          ref={teamMember}
          label={t('teamMember')}
          hint={t('teamMemberHint')}
          value={values.id_employe ?? ''}
          onChange={(event) => change({ id_employe: Number(event.target.value) || null })}
        >
          <option value="">{t('noTeamMember')}</option>
          {team.map(({ id_employe, nom, titre }) => (
            <option key={id_employe} value={id_employe}>
              {`${nom}, ${titre}`}
            </option>
          ))}
        </SelectField>
        {proposed && values.id_employe === null && (
          <Button
            variant="secondary"
            size="small"
            className="self-center justify-self-start"
            onClick={() => {
              change({ id_employe: proposed.id_employe })
              // The button leaves: the focus goes on at what it changed.
              teamMember.current?.focus()
            }}
          >
            {t('chooseSameEmail', { name: proposed.nom })}
          </Button>
        )}
        <LanguagesField value={values.languages} error={errorOf('languages')} onChange={(languages) => change({ languages })} />
      </div>
    </EntryForm>
  )
}

function valuesOf({
  username,
  first_name,
  last_name,
  display_name,
  email,
  id_group,
  id_employe,
  languages,
  version,
}: User): Values {
  return { username, first_name, last_name, display_name, email, id_group, id_employe, languages, version }
}

/** Where no mail can be sent: the link to give to the person, above everything else. */
function InvitationLink({ link }: { link: string }) {
  const t = useTexts(userTexts)
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => element.current?.focus(), [])
  return (
    <div ref={element} tabIndex={-1} className="mb-6 grid gap-3 rounded-card bg-ok-soft px-5 py-4">
      <p>{t('invitationLink')}</p>
      <code className="break-all" translate="no">
        {link}
      </code>
      <div className="flex flex-wrap gap-3">
        <CopyButton label={t('copyLink')} text={link} />
      </div>
    </div>
  )
}

type Key = keyof (typeof userTexts)['fr']
type Action = {
  label: Key
  method: 'POST' | 'PUT' | 'DELETE'
  path: string
  done: Key
  failed: Key
  /** What follows, where it is asked first. */
  consequence?: Key
}
type Outcome = { status: 'success' | 'error'; text: string }

const actions = {
  lock: { label: 'lock', method: 'PUT', path: '/lock', done: 'done', failed: 'failed', consequence: 'lockConsequence' },
  unlock: { label: 'unlock', method: 'PUT', path: '/unlock', done: 'done', failed: 'failed' },
  totp: {
    label: 'resetTotp',
    method: 'DELETE',
    path: '/totp',
    done: 'totpReset',
    failed: 'totpFailed',
    consequence: 'totpConsequence',
  },
  chances: { label: 'resetChances', method: 'POST', path: '/totp_chances', done: 'chancesReset', failed: 'chancesFailed' },
  sessions: {
    label: 'endSessions',
    method: 'DELETE',
    path: '/sessions',
    done: 'done',
    failed: 'failed',
    consequence: 'sessionsConsequence',
  },
  invite: { label: 'invite', method: 'POST', path: '/invitation', done: 'invitationSent', failed: 'failed' },
  link: { label: 'sendLink', method: 'POST', path: '/invitation', done: 'linkSent', failed: 'failed' },
  remove: { label: 'remove', method: 'DELETE', path: '', done: 'deleted', failed: 'deleteFailed', consequence: 'holds' },
} as const satisfies Record<string, Action>

/** Actions of an administrator of users on an account. */
function UserAccount({ user, onLink }: { user: User; onLink: (link: string) => void }) {
  const t = useTexts(userTexts)
  const f = useTexts(failureTexts)
  const { rights } = useProfile()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const [confirming, setConfirming] = useState<Action | null>(null)
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const language = useLanguage()
  const canAdminister = hasRight(rights, 'users', 'administrator')
  if (!hasRight(rights, 'users', 'read_write')) return null

  const run = async (action: Action, query = '') => {
    setConfirming(null)
    setBusy(true)
    try {
      const response = await callApi<Invitation | undefined>(
        action.method,
        `/api/users/users/${user.id_user}${action.path}${query}`,
      )
      if (action === actions.remove) return await navigate('/admin/users', { replace: true })
      const link = action === actions.invite ? response?.link : null
      setOutcome(link ? null : { status: 'success', text: t(action.done) })
      await revalidate()
      if (link) onLink(link)
    } catch (error) {
      console.warn(error)
      setOutcome({ status: 'error', text: `${t(action.failed)}. ${f(failureOf(error))}` })
    } finally {
      setBusy(false)
    }
  }
  const isDeparture = confirming === actions.lock || confirming === actions.remove
  const button = (action: Action, variant: 'secondary' | 'danger' = 'secondary') => (
    <Button
      variant={variant}
      size="small"
      disabled={busy}
      onClick={() => (action.consequence ? setConfirming(action) : void run(action))}
    >
      {t(action.label)}
    </Button>
  )

  return (
    <section className="mt-10 grid gap-5 border-t border-line pt-8">
      <h2 className="text-xl">{t('account')}</h2>
      <p className="text-sm text-ink-2">
        <span>{t('created', { date: formatDateTime(user.created_date, language, { month: 'long' }) })}</span>
        <span>{'\u00a0· '}</span>
        <span>{t('updated', { date: formatDateTime(user.updated_date, language, { month: 'long' }) })}</span>
        <br />
        <span>{t('twoFactorIs', { state: t(user.totp_enabled ? 'on' : 'off') })}</span>
        {user.totp_enabled && <span>{` (${t('chances', { count: user.totp_chances })})`}</span>}
      </p>
      <div className="flex flex-wrap gap-3">
        {canAdminister && button(user.locked ? actions.unlock : actions.lock)}
        {canAdminister && user.totp_enabled && button(actions.totp)}
        {canAdminister && user.totp_enabled && button(actions.chances)}
        {canAdminister && button(actions.sessions)}
        {button(user.invited ? actions.invite : actions.link)}
        {button(actions.remove, 'danger')}
      </div>
      <StatusCard status={outcome?.status ?? null} onHide={() => setOutcome(null)}>
        {outcome?.text}
      </StatusCard>
      {canAdminister && <UserPasswordForm user={user} />}
      <DepartureDialog
        user={isDeparture ? user : null}
        action={confirming === actions.lock ? 'lock' : 'remove'}
        onCancel={() => setConfirming(null)}
        onConfirm={(query) => confirming && void run(confirming, query)}
      />
      <ConfirmDialog
        open={confirming !== null && !isDeparture}
        title={confirming ? t('actionOn', { action: t(confirming.label), name: user.display_name }) : undefined}
        consequence={confirming?.consequence ? t(confirming.consequence) : ''}
        confirmLabel={confirming ? t(confirming.label) : undefined}
        onCancel={() => setConfirming(null)}
        onConfirm={() => confirming && void run(confirming)}
      />
    </section>
  )
}

/** Sets the password of another user; their sessions end. */
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

/** What a typed name becomes as a user name: "karim.haddad" for "Karim Haddad". */
export function usernameFrom(typed: string) {
  const words = foldText(typed)
    .split(/[^\w-]+/)
    .filter(Boolean)
  return words.join('.').slice(0, 80) || 'karim.haddad'
}
