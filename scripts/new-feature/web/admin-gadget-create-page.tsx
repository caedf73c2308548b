import { GadgetForm } from './gadget-form.tsx'

export default function AdminGadgetCreatePage() {
  return <GadgetForm />
}
