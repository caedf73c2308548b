import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useRevalidator } from 'react-router'
import { buttonTexts } from '#src/features/content/texts.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { hasRight } from '#src/lib/rights.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { ConfirmDialog, Dialog } from '#src/ui/components/dialog.tsx'
import { LoadingOverlay } from '#src/ui/components/loading.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { adminRequestTexts } from '../admin-texts.ts'
import type { Assignee, Presence, RequestChange, RequestDetail } from '../contract.ts'
import { requestThreadTexts } from '../request-thread-texts.ts'
import type { Route } from './+types/admin-request-page.ts'
import { Related, RequestFacts, RequestFollow, RequestMailState } from './request-aside.tsx'
import { RequestComposer } from './request-composer.tsx'
import { RequestThread } from './request-thread.tsx'

const listPath = '/admin/demandes'
const lookEveryMs = 4_000

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const [request, assignees] = await Promise.all([
    getJson<RequestDetail>(`/api/requests/requests/${encodeURIComponent(params.id)}`),
    getJson<Assignee[]>('/api/requests/requests/assignees'),
  ])
  return { request, assignees }
}

/** A request as one conversation, with what is known about it beside. */
export default function AdminRequestPage({ loaderData: { request, assignees } }: Route.ComponentProps) {
  const t = useTexts(adminRequestTexts)
  const r = useTexts(requestThreadTexts)
  const a = useTexts(buttonTexts)
  const { rights } = useProfile()
  const navigate = useNavigate()
  const { state } = useLocation() as { state: { search?: string } | null }
  const { revalidate } = useRevalidator()
  const { busy, run, toast } = useAction()
  const [asked, setAsked] = useState<'remove' | number | null>(null)
  const [isWriting, setWriting] = useState(false)
  const address = `/api/requests/requests/${request.id_request}`
  const backTo = listPath + (state?.search ?? '')
  const canWrite = hasRight(rights, 'requests', 'read_write')
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
  const merged = typeof asked === 'number' ? request.similar.find(({ id_request: id }) => id === asked) : undefined

  const handleMerge = async () => {
    setAsked(null)
    if (!merged) return
    const into = { into: request.id_request }
    await change(() => callApi('POST', `/api/requests/requests/${merged.id_request}/merge`, into), r('mergeDone'))
  }

  return (
    <>
      <AdminHead
        title={request.reference}
        subtitle={<bdi>{request.subject || t(request.kind)}</bdi>}
        backTo={backTo}
        actions={
          <>
            <CopyButton label={r('copyNumber')} text={request.reference} />
            {request.customer_page && <CopyButton label={r('copyLink')} text={request.customer_page} />}
            <Button variant="secondary" onClick={() => print()}>
              {r('print')}
            </Button>
          </>
        }
      />
      {request.merged_into && (
        <p className="mb-5 flex flex-wrap items-center gap-3 rounded-card bg-warn-soft px-5 py-3 font-bold">
          <span>{r('mergedInto', { reference: request.merged_into.reference })}</span>
          <Link to={`${listPath}/${request.merged_into.id_request}`} className="text-brand underline underline-offset-2">
            {request.merged_into.reference}
          </Link>
          {canWrite && (
            <Button variant="secondary" size="small" onClick={() => void post('/unmerge', {}, a('saved'))}>
              {r('unmerge')}
            </Button>
          )}
        </p>
      )}
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid gap-5">
          <RequestThread
            request={request}
            onRetry={canWrite ? (entry) => void post(`/entries/${entry}/retry`, {}, r('retried')) : null}
            onSplit={canReply ? (entry) => void run(() => handleSplit(entry), {}) : null}
          />
          <div role="status" className="grid gap-2 empty:hidden print:hidden">
            {news.hasNews && (
              <p className="flex flex-wrap items-center gap-3 rounded-card bg-warn-soft px-5 py-2 font-bold text-warn">
                <span>{r('news')}</span>
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
        <div className="grid gap-6">
          <LoadingOverlay busy={busy}>
            <RequestFollow
              request={request}
              assignees={assignees}
              canWrite={canWrite}
              onChange={(changed) => void handleChange(changed)}
            />
          </LoadingOverlay>
          <Related
            request={request}
            canWrite={canReply}
            onMerge={setAsked}
            onLink={(to) => void post('/link', { to }, a('saved'))}
          />
          <div className="card p-5">
            <RequestFacts request={request} />
          </div>
          <RequestMailState mail={request.mail} onRetry={canWrite ? () => void post('/mail/retry', {}, t('retried')) : null} />
          {canWrite && request.status !== 'suspected' && (
            <Button
              variant="secondary"
              onClick={() =>
                void change(
                  () => callApi(request.is_spam ? 'DELETE' : 'POST', `${address}/spam`),
                  request.is_spam ? a('saved') : r('spamDone'),
                )
              }
            >
              {r(request.is_spam ? 'notSpam' : 'spam')}
            </Button>
          )}
          {hasRight(rights, 'requests', 'administrator') && (
            <Button variant="danger" onClick={() => setAsked('remove')}>
              {t('remove')}
            </Button>
          )}
        </div>
      </div>
      <ConfirmDialog
        open={asked === 'remove'}
        title={t('confirmRemove', { reference: request.reference })}
        confirmLabel={a('remove')}
        onCancel={() => setAsked(null)}
        onConfirm={() => void run(handleRemove, {})}
      />
      <Dialog
        open={merged !== undefined}
        onClose={() => setAsked(null)}
        role="alertdialog"
        title={r('confirmMerge', { reference: merged?.reference ?? '', into: request.reference })}
        actions={
          <>
            <Button variant="secondary" onClick={() => setAsked(null)}>
              {r('cancel')}
            </Button>
            <Button onClick={() => void handleMerge()}>{r('merge')}</Button>
          </>
        }
      >
        <p>{r('mergeText', { reference: merged?.reference ?? '', into: request.reference })}</p>
      </Dialog>
      <Toast {...toast} />
    </>
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
  return { others: found?.others ?? [], hasNews: isBehind && isWriting }
}

function CopyButton({ label, text }: { label: string; text: string }) {
  const t = useTexts(requestThreadTexts)
  const [outcome, setOutcome] = useState<'copyDone' | 'notCopied' | null>(null)
  const handleCopy = () => {
    // Without https a browser has no clipboard.
    const copying = navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject(new Error('no clipboard'))
    copying.then(
      () => setOutcome('copyDone'),
      (error: unknown) => {
        console.warn(error)
        setOutcome('notCopied')
      },
    )
  }
  return (
    <>
      <Button variant="secondary" onClick={handleCopy}>
        {label}
      </Button>
      <span role="status" className="self-center text-sm empty:hidden">
        {outcome && t(outcome, { text })}
      </span>
    </>
  )
}
