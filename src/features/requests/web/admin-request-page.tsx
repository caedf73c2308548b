import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useRevalidator } from 'react-router'
import { buttonTexts } from '#src/features/content/texts.ts'
import { useAdminTitle } from '#src/features/content/web/admin-head.tsx'
import { LeaveGuard } from '#src/features/content/web/leave-guard.tsx'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { hasRight } from '#src/lib/rights.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { formatAgo } from '#src/lib/time/format-ago.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { IconButton } from '#src/ui/components/icon-button.tsx'
import { BackIcon, CheckIcon, LockIcon } from '#src/ui/components/icons.tsx'
import { ConfirmDialog } from '#src/ui/components/dialog.tsx'
import { LoadingOverlay } from '#src/ui/components/loading.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { CopyButton } from '#src/ui/components/copy-button.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { adminRequestTexts } from '../admin-texts.ts'
import type { Assignee, Presence, RequestChange, RequestDetail } from '../contract.ts'
import { requestThreadTexts } from '../request-thread-texts.ts'
import type { Route } from './+types/admin-request-page.ts'
import { ContactDialog } from './contact-dialog.tsx'
import { MailList } from './mail-states.tsx'
import type { Merged } from './merge-dialog.tsx'
import { MergeBar, MergeDialog } from './merge-dialog.tsx'
import { Related, RequestFacts, RequestFollow } from './request-aside.tsx'
import { MergeIcon, PrintIcon } from './request-badges.tsx'
import { RequestComposer } from './request-composer.tsx'
import { RequestThread } from './request-thread.tsx'
import './requests.css'

const listPath = '/admin/demandes'
const apiPath = '/api/requests/requests'
const lookEveryMs = 4_000

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const [request, assignees] = await Promise.all([
    getJson<RequestDetail>(`/api/requests/requests/${encodeURIComponent(params.id)}`),
    getJson<Assignee[]>('/api/requests/requests/assignees'),
  ])
  return { request, assignees }
}

type State = { search?: string; merged?: Merged } | null
type Asked = 'remove' | 'contact' | { merge: number | null } | null

/** A request as one conversation, with what is known about it beside. */
export default function AdminRequestPage({ loaderData: { request, assignees } }: Route.ComponentProps) {
  const t = useTexts(adminRequestTexts)
  const r = useTexts(requestThreadTexts)
  const a = useTexts(buttonTexts)
  const { rights } = useProfile()
  const navigate = useNavigate()
  const { state } = useLocation() as { state: State }
  const { revalidate } = useRevalidator()
  const { busy, run, toast } = useAction()
  const [asked, setAsked] = useState<Asked>(null)
  const [isWriting, setWriting] = useState(false)
  const address = `${apiPath}/${request.id_request}`
  const backTo = listPath + (state?.search ?? '')
  const canWrite = hasRight(rights, 'requests', 'read_write')
  const isAdministrator = hasRight(rights, 'requests', 'administrator')
  const canReply = canWrite && request.status !== 'suspected' && !request.merged_into
  const news = useNews(request, isWriting, revalidate)
  // The page follows mails that wait until they have left.
  const isOnItsWay = Boolean(
    request.mail?.can_send && (request.mail.state === 'waiting' || request.entries.some(({ delivery }) => delivery === 'queued')),
  )

  useEffect(() => {
    if (!isOnItsWay) return
    const timer = setTimeout(() => void revalidate(), 3_000)
    return () => clearTimeout(timer)
  }, [isOnItsWay, request, revalidate])

  const change = (work: () => Promise<unknown>, done: string) => run(() => work().finally(revalidate), { done })
  const post = (path: string, body: unknown, done: string) => change(() => callApi('POST', address + path, body), done)
  const handleChange = (changed: RequestChange) =>
    change(() => callApi('PUT', address, { ...changed, version: request.version }), a('saved'))
  const handleRemove = async () => {
    setAsked(null)
    await callApi('DELETE', address)
    await navigate(backTo, { replace: true })
  }
  const handleSplit = async (entry: number) => {
    const made = await callApi<RequestDetail>('POST', `${address}/entries/${entry}/split`)
    await navigate(`${listPath}/${made.id_request}`, { state })
  }
  const handleMerged = (merged: Merged) => {
    setAsked(null)
    void navigate(`${listPath}/${merged.into.id}`, { replace: true, state: { ...state, merged } })
  }
  const handleUnmerge = (id: number) =>
    run(
      async () => {
        await callApi('POST', `${apiPath}/${id}/unmerge`)
        await navigate(`${listPath}/${request.id_request}`, { replace: true, state: { ...state, merged: undefined } })
      },
      { done: r('unmergeDone') },
    )
  const merged = state?.merged?.into.id === request.id_request ? state.merged : undefined
  const canUndo = merged && request.merged.some(({ id_request: id }) => id === merged.from.id)

  return (
    <>
      <RequestHead
        request={request}
        onBack={() => void navigate(backTo)}
        onMerge={canReply ? () => setAsked({ merge: null }) : null}
        onDone={canReply && request.status !== 'done' ? () => void handleChange({ status: 'done' }) : null}
      />
      {request.merged_into && (
        <p className="mb-5 flex flex-wrap items-center gap-3 rounded-card bg-warn-soft px-5 py-3 font-bold">
          <span>{r('mergedInto', { reference: request.merged_into.reference })}</span>
          <Link to={`${listPath}/${request.merged_into.id_request}`} className="text-brand underline underline-offset-2">
            {request.merged_into.reference}
          </Link>
          {canWrite && (
            <Button variant="secondary" size="small" onClick={() => void handleUnmerge(request.id_request)}>
              {r('unmerge')}
            </Button>
          )}
        </p>
      )}
      {merged && canUndo && canWrite && (
        <MergeBar key={merged.at} merged={merged} busy={busy} onUndo={() => void handleUnmerge(merged.from.id)} />
      )}
      {request.on_hold && (
        <p className="mb-5 flex items-start gap-3 rounded-card border border-edge px-5 py-3">
          <LockIcon className="mt-0.5 shrink-0" />
          <span>{r('holdText')}</span>
        </p>
      )}
      <LeaveGuard />
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid gap-5">
          <RequestThread
            request={request}
            onRetry={canWrite ? (entry) => void post(`/entries/${entry}/retry`, {}, r('retried')) : null}
            onCorrect={canReply ? () => setAsked('contact') : null}
            onSplit={canReply ? (entry) => void run(() => handleSplit(entry), {}) : null}
          />
          <div role="status" className="grid gap-2 empty:hidden print:hidden">
            {news.hasNews && (
              <p className="flex flex-wrap items-center gap-3 rounded-card bg-warn-soft px-5 py-2 font-bold text-warn">
                <span>{news.author ? r('wroteNow', { name: news.author }) : r('changed')}</span>
                <Button variant="link" size="small" onClick={() => void revalidate()}>
                  {r('show')}
                </Button>
              </p>
            )}
            {news.others.map(({ id_user, display_name: name, is_writing }) => (
              <p key={id_user} className={is_writing ? 'font-bold text-warn' : 'text-sm text-ink-2'}>
                {r(is_writing ? 'isWritingBy' : 'isOpenBy', { name })}
              </p>
            ))}
          </div>
          {canReply && (
            <RequestComposer
              key={request.id_request}
              request={request}
              onWriting={setWriting}
              onStored={(done) => void run(() => revalidate(), done ? { done } : {})}
            />
          )}
        </div>
        <div className="grid gap-5">
          <LoadingOverlay busy={busy}>
            <RequestFollow
              request={request}
              assignees={assignees}
              canWrite={canWrite}
              onChange={(changed) => void handleChange(changed)}
            />
          </LoadingOverlay>
          <Related
            key={request.id_request}
            request={request}
            canWrite={canReply}
            onCompare={(merge) => setAsked({ merge })}
            onLink={(to) => void post('/link', { to }, r('linkDone'))}
            onUnmerge={(id) => void handleUnmerge(id)}
          />
          <RequestFacts request={request} onCorrect={canReply ? () => setAsked('contact') : null} />
          <MailList request={request} onRetryNotice={canWrite ? () => void post('/mail/retry', {}, t('retried')) : null} />
          {canReply && (
            <section aria-label={r('otherActions')} className="grid gap-3 print:hidden">
              <Button
                variant="secondary"
                size="small"
                onClick={() =>
                  void change(
                    () => callApi(request.is_spam ? 'DELETE' : 'POST', `${address}/spam`),
                    request.is_spam ? a('saved') : r('spamDone'),
                  )
                }
              >
                {r(request.is_spam ? 'notSpam' : 'spam')}
              </Button>
              {(!request.on_hold || isAdministrator) && (
                <Button
                  variant="secondary"
                  size="small"
                  onClick={() => void change(() => callApi('PUT', `${address}/hold`, { on_hold: !request.on_hold }), a('saved'))}
                >
                  {r(request.on_hold ? 'release' : 'hold')}
                </Button>
              )}
            </section>
          )}
          {isAdministrator && !request.on_hold && (
            <Button variant="danger" size="small" className="print:hidden" onClick={() => setAsked('remove')}>
              {t('remove')}
            </Button>
          )}
        </div>
      </div>
      <ConfirmDialog
        open={asked === 'remove'}
        title={t('confirmRemove', { reference: request.reference })}
        consequence="final"
        confirmLabel={a('remove')}
        onCancel={() => setAsked(null)}
        onConfirm={() => void run(handleRemove, {})}
      />
      {asked === 'contact' && (
        <ContactDialog
          request={request}
          onClose={() => setAsked(null)}
          onSaved={() => {
            setAsked(null)
            void run(() => revalidate(), { done: r('contactSaved') })
          }}
        />
      )}
      {asked && typeof asked === 'object' && (
        <MergeDialog
          request={request}
          otherId={asked.merge}
          onClose={() => setAsked(null)}
          onMerged={handleMerged}
          onLinked={() => {
            setAsked(null)
            void run(() => revalidate(), { done: r('linkDone') })
          }}
        />
      )}
      <Toast {...toast} />
    </>
  )
}

type HeadProps = { request: RequestDetail; onBack: () => void; onMerge: (() => void) | null; onDone: (() => void) | null }

/** The number as a ticket, what it is about, and what is done with the whole request. */
function RequestHead({ request, onBack, onMerge, onDone }: HeadProps) {
  const t = useTexts(adminRequestTexts)
  const r = useTexts(requestThreadTexts)
  const b = useTexts(buttonTexts)
  const language = useLanguage()
  useAdminTitle(request.reference)
  return (
    <div className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
      <div className="flex min-w-0 flex-1 basis-96 items-start gap-3">
        <IconButton label={b('back')} icon={<BackIcon />} onClick={onBack} className="print:hidden" />
        <div className="grid min-w-0 gap-1">
          <h1 className="flex flex-wrap items-center gap-x-4 gap-y-2 text-2xl">
            <span className="request-number tabular">{request.reference}</span>
            <bdi className="wrap-anywhere">{request.subject || t(request.kind)}</bdi>
          </h1>
          <p className="flex flex-wrap items-center gap-x-3 text-sm wrap-anywhere text-ink-2">
            <span>
              {r('openedAgo', { name: request.name, ago: formatAgo(new Date(request.created_at), new Date(), language) })}
            </span>
            {request.incident && <Badge tone="warn">{r('outage', { number: request.incident.number })}</Badge>}
            {request.is_late && <Badge tone="err">{r('late')}</Badge>}
          </p>
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {onMerge && (
          <Button variant="secondary" size="small" onClick={onMerge}>
            <MergeIcon size={18} />
            <span>{r('mergeStart')}</span>
          </Button>
        )}
        <CopyButton label={r('copyNumber')} text={request.reference} />
        {request.customer_page && <CopyButton label={r('copyLink')} text={request.customer_page} />}
        <IconButton label={r('print')} icon={<PrintIcon />} onClick={() => print()} />
        {onDone && (
          <Button size="small" onClick={onDone}>
            <CheckIcon size={18} />
            <span>{r('markDone')}</span>
          </Button>
        )}
      </div>
    </div>
  )
}

/** Who else has the request open; what they store is shown at once, but never while somebody writes here. */
function useNews(request: RequestDetail, isWriting: boolean, revalidate: () => Promise<void>) {
  const [found, setFound] = useState<Presence | null>(null)
  const writing = useRef(isWriting)
  writing.current = isWriting
  const { id_request: id } = request
  useEffect(() => {
    const leaving = new AbortController()
    const look = () => {
      if (document.hidden) return
      callApi<Presence>('POST', `/api/requests/requests/${id}/presence`, { is_writing: writing.current }, leaving.signal)
        .then(setFound)
        .catch((error: unknown) => {
          // The next look tries again.
          if (!leaving.signal.aborted) console.info(error)
        })
    }
    look()
    const timer = setInterval(look, lookEveryMs)
    return () => {
      clearInterval(timer)
      leaving.abort()
    }
  }, [id])
  const isBehind =
    found !== null &&
    (found.version > request.version || (found.last_entry ?? 0) > Math.max(0, ...request.entries.map((one) => one.id_entry)))
  useEffect(() => {
    if (isBehind && !isWriting) void revalidate()
  }, [isBehind, isWriting, revalidate])
  const hasEntry = (found?.last_entry ?? 0) > Math.max(0, ...request.entries.map((one) => one.id_entry))
  return { others: found?.others ?? [], hasNews: isBehind && isWriting, author: hasEntry ? (found?.last_author ?? null) : null }
}
