import { getJson } from '#src/ui/api.ts'
import type { GroupChoice } from '../../contract.ts'
import type { Route } from './+types/admin-user-create-page.ts'
import { UserForm } from './user-form.tsx'

export async function clientLoader() {
  return { groups: await getJson<GroupChoice[]>('/api/users/users/groups') }
}

export default function AdminUserCreatePage({ loaderData }: Route.ComponentProps) {
  return <UserForm groups={loaderData.groups} />
}
