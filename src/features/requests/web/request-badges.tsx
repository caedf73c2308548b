import { Badge } from '#src/ui/badge.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { adminRequestTexts } from '../admin-texts.ts'
import type { MailState, RequestStatus } from '../values.ts'

const statusTones = { new: 'warn', open: 'brand', done: 'ok' } as const
const mailTones = { waiting: 'neutral', sent: 'ok', failed: 'err' } as const

export function StatusBadge({ status }: { status: RequestStatus }) {
  const t = useTexts(adminRequestTexts)
  return <Badge tone={statusTones[status]}>{t(status)}</Badge>
}

export function MailBadge({ state }: { state: MailState }) {
  const t = useTexts(adminRequestTexts)
  return <Badge tone={mailTones[state]}>{t(state)}</Badge>
}
