import { getJson } from '#src/ui/api.ts'
import type { Network } from '../contract.ts'
import type { Route } from './+types/admin-network-edit-page.ts'
import { NetworkForm } from './network-form.tsx'

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  return { network: await getJson<Network>(`/api/networks/reseau/${encodeURIComponent(params.id_reseau)}`) }
}

export default function AdminNetworkEditPage({ loaderData }: Route.ComponentProps) {
  return <NetworkForm key={loaderData.network.id_reseau} network={loaderData.network} />
}
