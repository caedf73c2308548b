import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useRevalidator } from 'react-router'
import { buttonTexts } from '#src/features/content/button-texts.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { locales } from '#src/lib/language/language.ts'
import { hasRight } from '#src/lib/rights.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { Button, ButtonAnchor } from '#src/ui/components/button.tsx'
import { ConfirmDialog } from '#src/ui/components/confirm-dialog.tsx'
import { MailIcon } from '#src/ui/components/icons.tsx'
import { LoadingOverlay } from '#src/ui/components/loading-overlay.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { adminRequestTexts } from '../admin-texts.ts'
import type { Assignee, RequestChange, RequestDetail } from '../contract.ts'
import type { Route } from './+types/admin-request-page.ts'
import { MailBadge } from './request-badges.tsx'
import { RequestComments } from './request-comments.tsx'
import { RequestFacts } from './request-facts.tsx'
import { RequestFollow } from './request-follow.tsx'

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
  const [asked, setAsked] = useState(false)
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
    setAsked(false)
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
          <Button variant="danger" className="lg:col-start-2" onClick={() => setAsked(true)}>
            {t('remove')}
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={asked}
        title={t('confirmRemove', { reference: request.reference })}
        confirmLabel={a('remove')}
        onCancel={() => setAsked(false)}
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
    <section aria-label={t('mail')} className="card grid justify-items-start gap-2 p-5">
      <h2 className="flex items-center gap-3 text-lg">
        {t('mail')}
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
