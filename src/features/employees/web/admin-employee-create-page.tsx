import { EmployeeForm } from './employee-form.tsx'

export default function AdminEmployeeCreatePage() {
  return <EmployeeForm />
}
