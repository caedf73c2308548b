import { getJson } from '#src/ui/api.ts'
import type { Group } from '../../contract.ts'
import type { Route } from './+types/admin-group-edit-page.ts'
import { GroupForm } from './group-form.tsx'

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  return { group: await getJson<Group>(`/api/groups/groups/${encodeURIComponent(params.id_group)}`) }
}

export default function AdminGroupEditPage({ loaderData }: Route.ComponentProps) {
  return <GroupForm key={loaderData.group.id_group} group={loaderData.group} />
}
