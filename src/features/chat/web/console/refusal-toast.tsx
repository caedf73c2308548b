import { useTexts } from '#src/ui/language.tsx'
import { Toast } from '#src/ui/toast.tsx'
import { staffTexts } from '../../staff-texts.ts'
import type { ChatErrorCode } from '../../values.ts'
import type { StaffRefusal } from './staff-socket.ts'

const reasons: Record<ChatErrorCode, keyof (typeof staffTexts)['fr']> = {
  invalid: 'reasonInvalid',
  unknown_chat: 'reasonUnknown',
  closed: 'reasonClosed',
  no_users: 'reasonUsers',
  limited: 'reasonLimited',
  forbidden: 'reasonForbidden',
  taken: 'reasonTaken',
  answered: 'reasonTaken',
  blocked: 'reasonForbidden',
  not_connected: 'lost',
  broken: 'reasonBroken',
}

/** Why the server did not do what the technician asked. */
export function RefusalToast({ refusal, onHide }: { refusal: StaffRefusal | null; onHide: () => void }) {
  const t = useTexts(staffTexts)
  const said = (one: StaffRefusal) =>
    one.code === 'not_connected'
      ? t('lost')
      : t('refused', { reason: t(reasons[one.code], { name: one.userName || t('someone') }) })
  return (
    <Toast status={refusal ? 'error' : null} onHide={onHide}>
      {refusal && said(refusal)}
    </Toast>
  )
}
