import { IncidentForm } from './incident-form.tsx'

export default function IncidentCreatePage() {
  return <IncidentForm />
}
