import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useRevalidator } from 'react-router'
import { buttonTexts } from '#src/features/content/texts.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { locales } from '#src/lib/language/language.ts'
import { hasRight } from '#src/lib/rights.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { Button, ButtonAnchor } from '#src/ui/components/button.tsx'
import { ConfirmDialog } from '#src/ui/components/dialog.tsx'
import { MailIcon } from '#src/ui/components/icons.tsx'
import { LoadingOverlay } from '#src/ui/components/loading.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { SelectField, TextArea } from '#src/ui/forms/field.tsx'
import { useForm } from '#src/ui/forms/use-form.ts'
import { adminRequestTexts } from '../admin-texts.ts'
import type { Assignee, RequestChange, RequestDetail } from '../contract.ts'
import type { RequestStatus } from '../values.ts'
import { requestStatuses } from '../values.ts'
import type { Route } from './+types/admin-request-page.ts'
import { MailBadge } from './request-badges.tsx'

const listPath = '/admin/demandes'

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const [request, assignees] = await Promise.all([
    getJson<RequestDetail>(`/api/requests/requests/${encodeURIComponent(params.id)}`),
    getJson<Assignee[]>('/api/requests/requests/assignees'),
  ])
  return { request, assignees }
}

export default function AdminRequestPage({ loaderData: { request, assignees } }: Route.ComponentProps) {
  const t = useTexts(adminRequestTexts)
  const a = useTexts(buttonTexts)
  const { rights } = useProfile()
  const navigate = useNavigate()
  const { state } = useLocation() as { state: { search?: string } | null }
  const { revalidate } = useRevalidator()
  const { busy, run, toast } = useAction()
  const [asked, setConfirming] = useState(false)
  const address = `/api/requests/requests/${request.id_request}`
  const backTo = listPath + (state?.search ?? '')
  const canWrite = hasRight(rights, 'requests', 'read_write')
  // The page follows a mail that waits until it has left.
  const isOnItsWay = request.mail?.state === 'waiting' && request.mail.can_send

  useEffect(() => {
    if (!isOnItsWay) return
    const timer = setTimeout(() => void revalidate(), 3_000)
    return () => clearTimeout(timer)
  }, [isOnItsWay, request, revalidate])

  const change = (work: () => Promise<unknown>, done: string) => run(() => work().finally(revalidate), { done })
  const handleChange = (changed: RequestChange) =>
    change(() => callApi('PUT', address, { ...changed, version: request.version }), a('saved'))
  const handleRemove = async () => {
    setConfirming(false)
    await callApi('DELETE', address)
    await navigate(backTo, { replace: true })
  }

  return (
    <>
      <AdminHead
        title={request.reference}
        subtitle={t(request.kind)}
        backTo={backTo}
        actions={
          <ButtonAnchor
            href={replyAddress(request, t('replySubject', { reference: request.reference, subject: request.subject }))}
          >
            <MailIcon />
            {t('reply')}
          </ButtonAnchor>
        }
      />
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr_auto]">
        <article className="card grid gap-5 p-6" lang={locales[request.language]}>
          {request.subject && (
            <h2 className="text-2xl wrap-anywhere">
              <bdi>{request.subject}</bdi>
            </h2>
          )}
          <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
            {request.message}
          </p>
        </article>
        <div className="grid gap-6 lg:col-start-2 lg:row-span-2 lg:row-start-1">
          <LoadingOverlay busy={busy}>
            <RequestFollow
              request={request}
              assignees={assignees}
              canWrite={canWrite}
              onChange={(changed) => void handleChange(changed)}
            />
          </LoadingOverlay>
          <div className="card p-5">
            <RequestFacts request={request} />
          </div>
          <RequestMailState
            mail={request.mail}
            onRetry={canWrite ? () => void change(() => callApi('POST', `${address}/mail/retry`), t('retried')) : null}
          />
        </div>
        <RequestComments key={request.id_request} request={request} canWrite={canWrite} onAdded={() => void revalidate()} />
        {hasRight(rights, 'requests', 'administrator') && (
          <Button variant="danger" className="lg:col-start-2" onClick={() => setConfirming(true)}>
            {t('remove')}
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={asked}
        title={t('confirmRemove', { reference: request.reference })}
        confirmLabel={a('remove')}
        onCancel={() => setConfirming(false)}
        onConfirm={() => void run(handleRemove, {})}
      />
      <Toast {...toast} />
    </>
  )
}

function replyAddress({ email }: RequestDetail, subject: string) {
  return `mailto:${email}?subject=${encodeURIComponent(subject.trim())}`
}

/** State of the notification email of a request, with a retry button when it failed. */
function RequestMailState({ mail, onRetry }: { mail: RequestDetail['mail']; onRetry: (() => void) | null }) {
  const t = useTexts(adminRequestTexts)
  const language = useLanguage()
  return (
    <section aria-label={t('mailState')} className="card grid justify-items-start gap-2 p-5">
      <h2 className="flex items-center gap-3 text-lg">
        {t('mailState')}
        {mail && <MailBadge state={mail.state} />}
      </h2>
      {!mail && <p className="text-sm text-ink-2">{t('mailNone')}</p>}
      {mail && <p className="text-sm wrap-anywhere text-ink-2">{t('mailTo', { recipient: mail.recipient })}</p>}
      {mail?.sent_at && <p className="text-sm text-ink-2">{t('mailSentAt', { date: formatDateTime(mail.sent_at, language) })}</p>}
      {mail && mail.state !== 'sent' && !mail.can_send && <p className="text-sm">{t('mailKept')}</p>}
      {mail && mail.attempts > 0 && <p className="text-sm text-ink-2">{t('mailAttempts', { count: mail.attempts })}</p>}
      {mail?.last_error && (
        <p className="text-sm">
          {t('mailError')} <span className="wrap-anywhere text-err">{mail.last_error}</span>
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
function RequestFacts({ request }: { request: RequestDetail }) {
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
function RequestFollow({ request, assignees, canWrite, onChange }: RequestFollowProps) {
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

type RequestCommentsProps = { request: RequestDetail; canWrite: boolean; onAdded: () => void }

/** Internal comments on a request; visitors never see them. */
function RequestComments({ request, canWrite, onAdded }: RequestCommentsProps) {
  const t = useTexts(adminRequestTexts)
  const language = useLanguage()
  return (
    <section aria-label={t('comments')}>
      <h2 className="mb-3 text-xl">{t('comments')}</h2>
      {request.comments.length === 0 && <p className="mb-4 text-ink-2">{t('noComments')}</p>}
      <ul className="grid gap-3">
        {request.comments.map((comment) => (
          <li key={comment.id_comment} className="rounded-card bg-warn-soft px-5 py-4">
            <p className="text-sm text-ink-2">
              <strong className="text-ink">{comment.user_name}</strong>{' '}
              <time dateTime={comment.created_at}>{formatDateTime(comment.created_at, language)}</time>
            </p>
            <p className="mt-1 wrap-anywhere whitespace-pre-wrap">{comment.body}</p>
          </li>
        ))}
      </ul>
      {canWrite && <CommentForm id={request.id_request} onAdded={onAdded} />}
    </section>
  )
}

function CommentForm({ id, onAdded }: { id: number; onAdded: () => void }) {
  const t = useTexts(adminRequestTexts)
  const language = useLanguage()
  const form = useForm({
    draftKey: `requests/${id}/comment`,
    fields: ['body'],
    loadWork: async () => {
      const { createCommentWork } = await import('./comment-work.ts')
      return createCommentWork(id)
    },
    onSent: onAdded,
  })
  return (
    <form {...form.formProps} className="mt-5 grid gap-3">
      <TextArea label={t('comment')} name="body" rows={3} required defaultValue="" error={form.errors.body?.[language]} />
      <div role="alert">
        {form.status === 'error' &&
          form.outcome?.lines.map((line) => (
            <p key={line.fr} className="font-bold text-err">
              {line[language]}
            </p>
          ))}
      </div>
      <Button type="submit" variant="secondary" busy={form.status === 'submitting'} className="justify-self-start">
        {t('addComment')}
      </Button>
    </form>
  )
}
