import { GroupForm } from './group-form.tsx'

export default function AdminGroupCreatePage() {
  return <GroupForm />
}
