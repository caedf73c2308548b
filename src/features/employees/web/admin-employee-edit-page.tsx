import type { Changed } from '#src/features/content/web/entry-form.tsx'
import { getJson } from '#src/ui/api.ts'
import type { Employee } from '../contract.ts'
import type { Route } from './+types/admin-employee-edit-page.ts'
import { EmployeeForm } from './admin-employee-page.tsx'

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const address = `/api/employees/employes/${encodeURIComponent(params.id_employe)}`
  const [employee, lastChange] = await Promise.all([
    getJson<Employee>(address),
    getJson<Changed | null>(`${address}/last_change`),
  ])
  return { employee, lastChange }
}

export default function AdminEmployeeEditPage({ loaderData: { employee, lastChange } }: Route.ComponentProps) {
  return <EmployeeForm key={employee.id_employe} employee={employee} lastChange={lastChange} />
}
