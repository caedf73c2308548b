import { ReplyForm } from './reply-form.tsx'

export default function AdminReplyCreatePage() {
  return <ReplyForm />
}
