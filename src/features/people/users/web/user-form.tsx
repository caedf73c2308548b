import { useNavigate } from 'react-router'
import { EntryForm } from '#src/features/content/web/entry-form.tsx'
import { callApi } from '#src/ui/api.ts'
import { SelectField, TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { useBack } from '#src/ui/page/use-back.ts'
import { useEntryForm } from '#src/ui/forms/use-entry-form.ts'
import { useFieldProps } from '#src/ui/forms/use-field-props.ts'
import { userTexts } from '../admin-texts.ts'
import type { GroupChoice, InvitedUser, User } from '../../contract.ts'
import { UserState } from './admin-users-page.tsx'

type Values = {
  username: string
  first_name: string
  last_name: string
  display_name: string
  email: string
  id_group: number | null
  version?: number
}

const path = '/api/users/users'
const empty: Values = { username: '', first_name: '', last_name: '', display_name: '', email: '', id_group: null }

/** A person's names, address and access group; saving a new one mails the invitation. */
export function UserForm({ user, groups }: { user?: User; groups: GroupChoice[] }) {
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
      // No mail can leave: the link is handed over on the person's own page.
      if (link) void navigate(`/admin/user_edit/${saved.id_user}`, { replace: true, state: { link } })
      else goBack()
    },
    notice: user ? 'saved' : 'created',
    required: ['username', 'id_group', 'display_name', 'email'],
  })
  const { values, change } = form
  const { errorOf, textOf } = useFieldProps(form, { taken: t('taken') })

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
      </div>
    </EntryForm>
  )
}

function valuesOf({ username, first_name, last_name, display_name, email, id_group, version }: User): Values {
  return { username, first_name, last_name, display_name, email, id_group, version }
}
