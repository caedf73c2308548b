import { EntryList } from '#src/features/content/web/entry-list.tsx'
import { callApi, getJson } from '#src/ui/api.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Moment } from '#src/ui/components/moment.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { DepartureDialog } from './departure-dialog.tsx'
import { userTexts } from '../admin-texts.ts'
import type { User } from '../../contract.ts'
import type { Route } from './+types/admin-users-page.ts'

export async function clientLoader() {
  return { users: await getJson<User[]>('/api/users/users') }
}

export default function AdminUsersPage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(userTexts)
  return (
    <EntryList
      area="users"
      title={t('title')}
      backTo="/admin/panel"
      createPath="/admin/user_nouveau"
      editPath={(user) => `/admin/user_edit/${user.id_user}`}
      rows={loaderData.users}
      rowKey={(user) => user.id_user}
      rowName={(user) => user.display_name}
      remove={(user) => callApi('DELETE', `/api/users/users/${user.id_user}`)}
      askRemoval={(user, { onCancel, onConfirm }) => (
        <DepartureDialog
          user={user}
          action="remove"
          onCancel={onCancel}
          onConfirm={(query) => user && onConfirm(() => callApi('DELETE', `/api/users/users/${user.id_user}${query}`))}
        />
      )}
      exported={[
        { header: t('username'), value: (user) => user.username },
        { header: t('displayName'), value: (user) => user.display_name },
        { header: t('firstName'), value: (user) => user.first_name },
        { header: t('lastName'), value: (user) => user.last_name },
        { header: t('email'), value: (user) => user.email },
        { header: t('group'), value: (user) => user.group },
        { header: t('state'), value: (user) => t(user.locked ? 'locked' : user.invited ? 'invited' : 'active') },
        { header: t('twoFactor'), value: (user) => t(user.totp_enabled ? 'on' : 'off') },
        { header: t('createdOn'), value: (user) => user.created_date, isMoment: true },
        { header: t('lastLogin'), value: (user) => user.last_login, isMoment: true },
      ]}
      columns={[
        {
          header: t('username'),
          cell: (user) => user.username,
          text: (user) => user.username,
          sortKey: 'utilisateur',
          isRowHeader: true,
        },
        { header: t('displayName'), cell: (user) => user.display_name, text: (user) => user.display_name, sortKey: 'nom' },
        { header: t('group'), cell: (user) => user.group, text: (user) => user.group },
        { header: t('state'), cell: (user) => <UserState user={user} /> },
        { header: t('twoFactor'), cell: (user) => t(user.totp_enabled ? 'on' : 'off') },
        {
          header: t('lastLogin'),
          className: 'whitespace-nowrap',
          cell: (user) => (user.last_login ? <Moment at={user.last_login} /> : t('never')),
          sortBy: (user) => user.last_login ?? '',
          sortKey: 'connexion',
        },
      ]}
      emptyTitle={t('empty')}
      emptyHint={t('emptyHint')}
    />
  )
}

export function UserState({ user }: { user: User }) {
  const t = useTexts(userTexts)
  if (user.locked) return <Badge tone="err">{t('locked')}</Badge>
  return user.invited ? <Badge tone="warn">{t('invited')}</Badge> : <Badge tone="ok">{t('active')}</Badge>
}
