import { EntryList } from '#src/features/content/web/entry-list.tsx'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { userTexts } from '../admin-texts.ts'
import type { User } from '../../contract.ts'
import type { Route } from './+types/admin-users-page.ts'

export async function clientLoader() {
  return { users: await getJson<User[]>('/api/users/users') }
}

export default function AdminUsersPage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(userTexts)
  const language = useLanguage()
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
      columns={[
        { header: t('username'), cell: (user) => user.username, text: (user) => user.username, isRowHeader: true },
        { header: t('displayName'), cell: (user) => user.display_name, text: (user) => user.display_name },
        { header: t('group'), cell: (user) => user.group, text: (user) => user.group },
        { header: t('state'), cell: (user) => <UserState user={user} /> },
        { header: t('twoFactor'), cell: (user) => t(user.totp_enabled ? 'on' : 'off') },
        {
          header: t('lastLogin'),
          className: 'whitespace-nowrap',
          cell: (user) => (user.last_login ? formatDateTime(user.last_login, language) : t('never')),
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
