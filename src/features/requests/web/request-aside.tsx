import type { ReactNode } from 'react'
import { useState } from 'react'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { hasRight } from '#src/lib/rights.ts'
import { pickText } from '#src/lib/language/language.ts'
import { callAddress } from '#src/lib/text/telephones.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { sourceText } from '#src/lib/visit-source.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { tabStorage } from '#src/ui/storage.ts'
import { SelectField } from '#src/ui/forms/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { adminRequestTexts } from '../admin-texts.ts'
import type { Assignee, RequestChange, RequestDetail } from '../contract.ts'
import { requestThreadTexts } from '../request-thread-texts.ts'
import type { Priority } from '../values.ts'
import { priorities, requestStatuses } from '../values.ts'
import { isRefused } from './mail-states.tsx'
import { MailBadge, MergeIcon } from './request-badges.tsx'

const listPath = '/admin/demandes'

type RelatedProps = {
  request: RequestDetail
  canWrite: boolean
  onCompare: (id: number) => void
  onLink: (id: number) => void
  onUnmerge: (id: number) => void
}

const ignoredKey = (id: number) => `requests/${id}/ignored`

/** Other requests of the same customer, linked and merged ones. */
export function Related({ request, canWrite, onCompare, onLink, onUnmerge }: RelatedProps) {
  const t = useTexts(requestThreadTexts)
  const key = ignoredKey(request.id_request)
  const [ignored, setIgnored] = useState(() => (tabStorage.read(key) ?? '').split(' ').map(Number))
  const ignore = (id: number) => {
    const all = [...ignored, id]
    tabStorage.write(key, all.join(' '))
    setIgnored(all)
  }
  const isShown = (id: number) => !ignored.includes(id) && !request.linked.some((one) => one.id_request === id)
  const groups = [
    ['similar', request.similar.filter(({ id_request: id }) => isShown(id))],
    ['linked', request.linked],
    ['merged', request.merged],
  ] as const
  return groups.map(
    ([name, all]) =>
      all.length > 0 && (
        <section key={name} aria-label={t(name)} className={`card grid gap-2 p-5 ${name === 'similar' ? 'bg-brand-soft' : ''}`}>
          <h2 className="flex items-center gap-2 text-lg">
            {name !== 'linked' && <MergeIcon size={18} />}
            <span>{t(name)}</span>
          </h2>
          <ul className="grid gap-4">
            {all.map(({ id_request: id, reference, subject }) => (
              <li key={id} className="grid justify-items-start gap-2">
                <span className="wrap-anywhere">
                  <Link to={`${listPath}/${id}`} className="tabular font-bold text-brand underline underline-offset-2">
                    {reference}
                  </Link>{' '}
                  <bdi>{subject}</bdi>
                </span>
                {name === 'similar' && canWrite && (
                  <span className="flex flex-wrap gap-2 print:hidden">
                    <Button size="small" onClick={() => onCompare(id)}>
                      {t('compare')}
                    </Button>
                    <Button size="small" variant="secondary" onClick={() => onLink(id)}>
                      {t('linkHere')}
                    </Button>
                    <Button size="small" variant="link" onClick={() => ignore(id)}>
                      {t('ignore')}
                    </Button>
                  </span>
                )}
                {name === 'merged' && canWrite && (
                  <Button size="small" variant="secondary" onClick={() => onUnmerge(id)}>
                    {t('unmerge')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </section>
      ),
  )
}

/** Who wrote, how to reach them, when and from where. */
export function RequestFacts({ request, onCorrect }: { request: RequestDetail; onCorrect: (() => void) | null }) {
  const t = useTexts(adminRequestTexts)
  const r = useTexts(requestThreadTexts)
  const language = useLanguage()
  const { rights } = useProfile()
  const refused = request.entries
    .flatMap(({ mails }) => mails)
    .find(({ delivery, recipient }) => isRefused(delivery) && recipient === request.email)?.delivery
  return (
    <section aria-label={r('customer')} className="card grid gap-3 p-5">
      <h2 className="text-lg">{r('customer')}</h2>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1.5">
        <Fact name={t('name')}>
          <bdi>{request.name}</bdi>
        </Fact>
        <Fact name={t('email')}>
          <a href={`mailto:${request.email}`} className="text-brand underline underline-offset-2">
            {request.email}
          </a>
          {refused && <MailBadge state={refused} />}
        </Fact>
        {request.phone && (
          <Fact name={t('phone')}>
            <a href={callAddress(request.phone)} className="tabular text-brand underline underline-offset-2">
              {request.phone}
            </a>
          </Fact>
        )}
        <Fact name={t('kind')}>{t(request.kind)}</Fact>
        <Fact name={t('language')}>{t(request.language)}</Fact>
        <Fact name={r('history')}>
          <Link
            to={`${listPath}?search=${encodeURIComponent(request.email)}`}
            className="text-brand underline underline-offset-2"
          >
            {r('requestCount', { count: request.request_count })}
          </Link>
        </Fact>
        {request.page && <Fact name={t('page')}>{request.page}</Fact>}
        {sourceText(request.source) && <Fact name={t('source')}>{sourceText(request.source)}</Fact>}
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
      {onCorrect && (
        <Button variant="link" size="small" className="justify-self-start" onClick={onCorrect}>
          {r('correct')}
        </Button>
      )}
    </section>
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
      <div role="group" aria-label={t('status')} className="grid gap-2">
        <h2 className="text-base">{t('status')}</h2>
        <div className="grid grid-cols-2 gap-2">
          {(isSuspected ? (['suspected', 'new'] as const) : requestStatuses).map((status) => (
            <button
              key={status}
              type="button"
              className="request-status"
              aria-pressed={request.status === status}
              disabled={!canWrite || (isSuspected && status === 'suspected')}
              onClick={() => {
                if (status !== request.status && status !== 'suspected') onChange({ status })
              }}
            >
              {t(status)}
            </button>
          ))}
        </div>
      </div>
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
