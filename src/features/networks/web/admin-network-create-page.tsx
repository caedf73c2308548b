import { NetworkForm } from './network-form.tsx'

export default function AdminNetworkCreatePage() {
  return <NetworkForm />
}
