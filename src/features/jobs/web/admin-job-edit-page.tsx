import type { Changed } from '#src/features/content/web/entry-form.tsx'
import { getJson } from '#src/ui/api.ts'
import type { Job } from '../contract.ts'
import type { Route } from './+types/admin-job-edit-page.ts'
import { JobForm } from './admin-job-page.tsx'

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const address = `/api/jobs/emplois/${encodeURIComponent(params.id_emploi)}`
  const [job, lastChange] = await Promise.all([getJson<Job>(address), getJson<Changed | null>(`${address}/last_change`)])
  return { job, lastChange }
}

export default function AdminJobEditPage({ loaderData: { job, lastChange } }: Route.ComponentProps) {
  return <JobForm key={job.id_emploi} job={job} lastChange={lastChange} />
}
