import type { Changed } from '#src/features/content/web/entry-form.tsx'
import { getJson } from '#src/ui/api.ts'
import type { Gadget } from '../contract.ts'
import type { Route } from './+types/admin-gadget-edit-page.ts'
import { GadgetForm } from './gadget-form.tsx'

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const address = `/api/gadgets/${encodeURIComponent(params.id_gadget)}`
  const [gadget, lastChange] = await Promise.all([getJson<Gadget>(address), getJson<Changed | null>(`${address}/last_change`)])
  return { gadget, lastChange }
}

export default function AdminGadgetEditPage({ loaderData: { gadget, lastChange } }: Route.ComponentProps) {
  return <GadgetForm key={gadget.id_gadget} gadget={gadget} lastChange={lastChange} />
}
