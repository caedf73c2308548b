import type { ReactNode } from 'react'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { hasRight } from '#src/lib/rights.ts'
import { pickText } from '#src/lib/language/language.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { SelectField } from '#src/ui/forms/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { adminRequestTexts } from '../admin-texts.ts'
import type { Assignee, RequestChange, RequestDetail } from '../contract.ts'
import { requestThreadTexts } from '../request-thread-texts.ts'
import type { Priority, RequestStatus } from '../values.ts'
import { priorities, requestStatuses } from '../values.ts'
import { MailBadge } from './request-badges.tsx'

const listPath = '/admin/demandes'

type RelatedProps = {
  request: RequestDetail
  canWrite: boolean
  onMerge: (id: number) => void
  onLink: (id: number) => void
}

/** Other requests of the same customer, linked and merged ones. */
export function Related({ request, canWrite, onMerge, onLink }: RelatedProps) {
  const t = useTexts(requestThreadTexts)
  const similar = request.similar.filter(({ id_request: id }) => !request.linked.some((one) => one.id_request === id))
  const groups = [
    ['similar', similar],
    ['linked', request.linked],
    ['merged', request.merged],
  ] as const
  return groups.map(
    ([name, all]) =>
      all.length > 0 && (
        <section key={name} aria-label={t(name)} className={`card grid gap-2 p-5 ${name === 'similar' ? 'bg-brand-soft' : ''}`}>
          <h2 className="text-lg">{t(name)}</h2>
          <ul className="grid gap-3">
            {all.map(({ id_request: id, reference, subject }) => (
              <li key={id} className="grid justify-items-start gap-1">
                <span className="wrap-anywhere">
                  <Link to={`${listPath}/${id}`} className="tabular font-bold text-brand underline underline-offset-2">
                    {reference}
                  </Link>{' '}
                  <bdi>{subject}</bdi>
                </span>
                {name === 'similar' && canWrite && (
                  <span className="flex flex-wrap gap-2">
                    <Button size="small" onClick={() => onMerge(id)}>
                      {t('merge')}
                    </Button>
                    <Button size="small" variant="secondary" onClick={() => onLink(id)}>
                      {t('linkHere')}
                    </Button>
                  </span>
                )}
              </li>
            ))}
          </ul>
        </section>
      ),
  )
}
/** State of the notification email of a request, with a retry button when it failed. */
export function RequestMailState({ mail, onRetry }: { mail: RequestDetail['mail']; onRetry: (() => void) | null }) {
  const t = useTexts(adminRequestTexts)
  const language = useLanguage()
  return (
    <section aria-label={t('mailState')} className="card grid justify-items-start gap-2 p-5">
      <h2 className="flex items-center gap-3 text-lg">
        <span>{t('mailState')}</span>
        {mail && <MailBadge state={mail.state} />}
      </h2>
      {!mail && <p className="text-sm text-ink-2">{t('mailNone')}</p>}
      {mail && <p className="text-sm wrap-anywhere text-ink-2">{t('mailTo', { recipient: mail.recipient })}</p>}
      {mail?.sent_at && <p className="text-sm text-ink-2">{t('mailSentAt', { date: formatDateTime(mail.sent_at, language) })}</p>}
      {mail && mail.state !== 'sent' && !mail.can_send && <p className="text-sm">{t('mailKept')}</p>}
      {mail && mail.attempts > 0 && <p className="text-sm text-ink-2">{t('mailAttempts', { count: mail.attempts })}</p>}
      {mail?.last_error && (
        <p className="text-sm">
          <span>{t('mailError')}</span> <span className="wrap-anywhere text-err">{mail.last_error}</span>
        </p>
      )}
      {mail && mail.state !== 'sent' && mail.can_send && onRetry && (
        <Button variant="secondary" size="small" className="mt-1" onClick={onRetry}>
          {t('retry')}
        </Button>
      )}
    </section>
  )
}

/** Who wrote, how to reach them, when and from where. */
export function RequestFacts({ request }: { request: RequestDetail }) {
  const t = useTexts(adminRequestTexts)
  const language = useLanguage()
  const { rights } = useProfile()
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1.5">
      <Fact name={t('name')}>
        <bdi>{request.name}</bdi>
      </Fact>
      <Fact name={t('email')}>
        <a href={`mailto:${request.email}`} className="text-brand underline underline-offset-2">
          {request.email}
        </a>
      </Fact>
      {request.phone && (
        <Fact name={t('phone')}>
          <a href={`tel:${request.phone.replaceAll(/[^\d+]/g, '')}`} className="tabular text-brand underline underline-offset-2">
            {request.phone}
          </a>
        </Fact>
      )}
      <Fact name={t('kind')}>{t(request.kind)}</Fact>
      <Fact name={t('language')}>{t(request.language)}</Fact>
      {request.page && <Fact name={t('page')}>{request.page}</Fact>}
      <Fact name={t('received')}>
        <time dateTime={request.created_at}>{formatDateTime(request.created_at, language)}</time>
      </Fact>
      {request.id_chat !== null && (
        <Fact name={t('fromChat')}>
          {hasRight(rights, 'chat', 'read_only') ? (
            <Link to={`/admin/chat?chat=${request.id_chat}`} className="text-brand underline underline-offset-2">
              {t('chatNumber', { id: request.id_chat })}
            </Link>
          ) : (
            t('chatNumber', { id: request.id_chat })
          )}
        </Fact>
      )}
      {request.done_at && (
        <Fact name={t('doneAt')}>
          <time dateTime={request.done_at}>{formatDateTime(request.done_at, language)}</time>
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-2">{name}</dt>
      <dd className="font-medium wrap-anywhere">{children}</dd>
    </>
  )
}

type RequestFollowProps = {
  request: RequestDetail
  assignees: Assignee[]
  canWrite: boolean
  onChange: (change: RequestChange) => void
}

/** Status and assignee: saved as soon as they are chosen. */
export function RequestFollow({ request, assignees, canWrite, onChange }: RequestFollowProps) {
  const t = useTexts(adminRequestTexts)
  const r = useTexts(requestThreadTexts)
  const language = useLanguage()
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
        label={r('priority')}
        value={request.priority}
        disabled={!canWrite || isSuspected}
        onChange={(event) => onChange({ priority: event.target.value as Priority })}
      >
        {priorities.map((priority) => (
          <option key={priority} value={priority}>
            {r(priority)}
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
      {(request.open_incidents.length > 0 || request.incident) && (
        <SelectField
          label={r('incident')}
          value={request.incident?.id_incident ?? ''}
          disabled={!canWrite || isSuspected}
          onChange={(event) => onChange({ id_incident: event.target.value === '' ? null : Number(event.target.value) })}
        >
          <option value="">{r('noIncident')}</option>
          {incidentsOf(request).map((incident) => (
            <option key={incident.id_incident} value={incident.id_incident}>
              {[incident.number, pickText(language, incident.title, incident.title_en)].join(' ')}
            </option>
          ))}
        </SelectField>
      )}
      <Goals request={request} />
      {canTake && (
        <Button wide onClick={() => onChange({ status: 'open', id_user: me })}>
          {t('take')}
        </Button>
      )}
    </section>
  )
}

/** Those that are not over, and the linked one, so that the stored value is shown. */
function incidentsOf({ incident, open_incidents: open }: RequestDetail) {
  return incident && !open.some(({ id_incident: id }) => id === incident.id_incident) ? [incident, ...open] : open
}

/** When the first reply and the solution are due. */
function Goals({ request }: { request: RequestDetail }) {
  const t = useTexts(requestThreadTexts)
  const language = useLanguage()
  if (request.status === 'done' || !request.resolve_by) return null
  const { first_reply_at: replied, respond_by: respondBy, resolve_by: resolveBy } = request
  const rows = [
    replied ? (['firstReply', replied] as const) : (['respondBy', respondBy] as const),
    ['resolveBy', resolveBy] as const,
  ]
  return (
    <>
      {request.is_late && (
        <p>
          <Badge tone="err">{t('late')}</Badge>
        </p>
      )}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1 text-sm">
        {rows.map(
          ([name, at]) =>
            at && (
              <Fact key={name} name={t(name)}>
                <time dateTime={at}>{formatDateTime(at, language)}</time>
              </Fact>
            ),
        )}
      </dl>
    </>
  )
}
