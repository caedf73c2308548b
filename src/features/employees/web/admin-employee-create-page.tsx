import { EmployeeForm } from './admin-employee-page.tsx'

export default function AdminEmployeeCreatePage() {
  return <EmployeeForm />
}
