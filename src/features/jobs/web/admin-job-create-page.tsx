import { JobForm } from './admin-job-page.tsx'

export default function AdminJobCreatePage() {
  return <JobForm />
}
