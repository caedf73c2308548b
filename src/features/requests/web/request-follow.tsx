import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { Button } from '#src/ui/components/button.tsx'
import { SelectField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { adminRequestTexts } from '../admin-texts.ts'
import type { Assignee, RequestChange, RequestDetail } from '../contract.ts'
import type { RequestStatus } from '../values.ts'
import { requestStatuses } from '../values.ts'

type RequestFollowProps = {
  request: RequestDetail
  assignees: Assignee[]
  canWrite: boolean
  onChange: (change: RequestChange) => void
}

/** Status and assignee: saved as soon as they are chosen. */
export function RequestFollow({ request, assignees, canWrite, onChange }: RequestFollowProps) {
  const t = useTexts(adminRequestTexts)
  const { id_user: me } = useProfile()
  const current = request.assigned_to
  // A former assignee stays selectable, so that the stored value is shown.
  const choices = current && !assignees.some(({ id_user }) => id_user === current.id_user) ? [current, ...assignees] : assignees
  // It becomes a request first.
  const isSuspected = request.status === 'suspected'
  const canTake =
    canWrite &&
    !isSuspected &&
    current?.id_user !== me &&
    request.status !== 'done' &&
    assignees.some(({ id_user }) => id_user === me)
  return (
    <section aria-label={t('follow')} className="card grid gap-4 p-5">
      <SelectField
        label={t('status')}
        value={request.status}
        disabled={!canWrite}
        onChange={(event) => onChange({ status: event.target.value as RequestStatus })}
      >
        {(isSuspected ? (['suspected', 'new'] as const) : requestStatuses).map((status) => (
          <option key={status} value={status}>
            {t(status)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t('assignee')}
        value={current?.id_user ?? ''}
        disabled={!canWrite || isSuspected}
        onChange={(event) => onChange({ id_user: event.target.value === '' ? null : Number(event.target.value) })}
      >
        <option value="">{t('nobody')}</option>
        {choices.map(({ id_user, display_name }) => (
          <option key={id_user} value={id_user}>
            {display_name}
          </option>
        ))}
      </SelectField>
      {canTake && (
        <Button wide onClick={() => onChange({ status: 'open', id_user: me })}>
          {t('take')}
        </Button>
      )}
    </section>
  )
}
