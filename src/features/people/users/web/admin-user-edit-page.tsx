import { getJson } from '#src/ui/api.ts'
import type { GroupChoice, User } from '../../contract.ts'
import type { Route } from './+types/admin-user-edit-page.ts'
import { UserAccount } from './user-account.tsx'
import { UserForm } from './user-form.tsx'

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const [user, groups] = await Promise.all([
    getJson<User>(`/api/users/users/${encodeURIComponent(params.id_user)}`),
    getJson<GroupChoice[]>('/api/users/users/groups'),
  ])
  return { user, groups }
}

export default function AdminUserEditPage({ loaderData }: Route.ComponentProps) {
  const { user, groups } = loaderData
  return (
    <>
      <UserForm key={`${user.id_user}-${user.version}`} user={user} groups={groups} />
      <UserAccount user={user} />
    </>
  )
}
