import { JobForm } from './job-form.tsx'

export default function AdminJobCreatePage() {
  return <JobForm />
}
