import { getJson } from '#src/ui/api.ts'
import type { Incident } from '../contract.ts'
import type { Route } from './+types/incident-edit-page.ts'
import { IncidentForm } from './incident-form.tsx'

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  return { incident: await getJson<Incident>(`/api/privacy/incidents/${encodeURIComponent(params.id_incident)}`) }
}

export default function IncidentEditPage({ loaderData }: Route.ComponentProps) {
  return <IncidentForm key={loaderData.incident.id_incident} incident={loaderData.incident} />
}
