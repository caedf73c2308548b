import type { Changed } from '#src/features/content/web/entry-form.tsx'
import { getJson } from '#src/ui/api.ts'
import type { Network } from '../contract.ts'
import type { Route } from './+types/admin-network-edit-page.ts'
import { NetworkForm } from './admin-network-page.tsx'

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const address = `/api/networks/reseau/${encodeURIComponent(params.id_reseau)}`
  const [network, lastChange] = await Promise.all([getJson<Network>(address), getJson<Changed | null>(`${address}/last_change`)])
  return { network, lastChange }
}

export default function AdminNetworkEditPage({ loaderData: { network, lastChange } }: Route.ComponentProps) {
  return <NetworkForm key={network.id_reseau} network={network} lastChange={lastChange} />
}
