import { Badge } from '#src/ui/components/badge.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { adminRequestTexts } from '../admin-texts.ts'
import type { MailState, StoredStatus } from '../values.ts'

const statusTones = { new: 'warn', open: 'brand', done: 'ok', suspected: 'neutral' } as const
const mailTones = { waiting: 'neutral', sent: 'ok', failed: 'err' } as const

export function StatusBadge({ status }: { status: StoredStatus }) {
  const t = useTexts(adminRequestTexts)
  return <Badge tone={statusTones[status]}>{t(status)}</Badge>
}

export function MailBadge({ state }: { state: MailState }) {
  const t = useTexts(adminRequestTexts)
  return <Badge tone={mailTones[state]}>{t(state)}</Badge>
}
