import { Badge } from '#src/ui/components/badge.tsx'
import { pathIcon } from '#src/ui/components/icon.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { adminRequestTexts } from '../admin-texts.ts'
import type { Delivery, MailState, StoredStatus } from '../values.ts'

export const AttachIcon = pathIcon(
  'm20 11.5-8.5 8.4a5 5 0 0 1-7-7L13 4.4a3.3 3.3 0 0 1 4.7 4.7l-8.4 8.4a1.7 1.7 0 0 1-2.4-2.4l7.6-7.6',
)
export const MergeIcon = pathIcon('M6 4v3c0 4 6 4 6 8v5M18 4v3c0 4-6 4-6 8')
export const PrintIcon = pathIcon('M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z')

const statusTones = { new: 'warn', open: 'brand', waiting: 'neutral', done: 'ok', suspected: 'neutral' } as const
const mailTones = { waiting: 'neutral', queued: 'neutral', sent: 'ok', failed: 'err', bounced: 'err' } as const
const mailKeys = {
  waiting: 'mailWaiting',
  queued: 'mailWaiting',
  sent: 'mailSent',
  failed: 'mailFailed',
  bounced: 'mailBounced',
} as const

export function StatusBadge({ status }: { status: StoredStatus }) {
  const t = useTexts(adminRequestTexts)
  return <Badge tone={statusTones[status]}>{t(status)}</Badge>
}

export function MailBadge({ state }: { state: MailState | Delivery }) {
  const t = useTexts(adminRequestTexts)
  return <Badge tone={mailTones[state]}>{t(mailKeys[state])}</Badge>
}

export const reviewPath = '/admin/demandes?status=suspected'

/** Hollow badge: the count needs no action, unlike the filled ones. */
export function HollowCount({ count }: { count: number }) {
  return (
    <span className="tabular rounded-full border border-dashed border-current px-2 text-sm font-bold">
      <span key={count}>{count}</span>
    </span>
  )
}
