import { NetworkForm } from './admin-network-page.tsx'

export default function AdminNetworkCreatePage() {
  return <NetworkForm />
}
