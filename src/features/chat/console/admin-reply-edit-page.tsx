import type { Changed } from '#src/features/content/web/last-change.tsx'
import { getJson } from '#src/ui/api.ts'
import type { CannedReply } from '../contract.ts'
import type { Route } from './+types/admin-reply-edit-page.ts'
import { ReplyForm } from './reply-form.tsx'

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const address = `/api/chat/canned_replies/${encodeURIComponent(params.id_canned)}`
  const [reply, lastChange] = await Promise.all([
    getJson<CannedReply>(address),
    getJson<Changed | null>(`${address}/last_change`),
  ])
  return { reply, lastChange }
}

export default function AdminReplyEditPage({ loaderData: { reply, lastChange } }: Route.ComponentProps) {
  return <ReplyForm key={reply.id_canned} reply={reply} lastChange={lastChange} />
}
