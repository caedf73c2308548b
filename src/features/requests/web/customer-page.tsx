import type { ComponentType } from 'react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { data } from 'react-router'
import { company } from '#company/company.ts'
import { defaultLanguage, pickText } from '#src/lib/language/language.ts'
import { formatBytes } from '#src/lib/text/numbers.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { translator } from '#src/lib/language/texts.ts'
import { callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Holes } from '#src/ui/components/holes.tsx'
import { LockIcon } from '#src/ui/components/icons.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { withLinks } from '#src/ui/components/linked-text.ts'
import { useHydrated } from '#src/ui/first-load.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageContext } from '#src/ui/page/page-context.ts'
import { orNotFound } from '#src/ui/page/page-errors.tsx'
import { languageOf, missingPageTags } from '#src/ui/page/page-meta.ts'
import type { CustomerPage, CustomerPageNotice } from '../contract.ts'
import { customerPageTexts } from '../customer-page-texts.ts'
import { pageDays, replyFilesMax, replyFilesMaxBytes, replyMax } from '../values.ts'
import type { Route } from './+types/customer-page.ts'
import { filesOf } from './answer-files.ts'
import { NetworkNotice } from './network-notice.tsx'

export { PageErrorBoundary as ErrorBoundary } from '#src/ui/page/page-errors.tsx'

type OpenPage = Extract<CustomerPage, { state: 'open' }>

/** The address is the key to the request: no search engine, no cache and no other site may learn it. */
const secretHeaders = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow', 'cache-control': 'no-store' }

export async function loader({ params, context, request }: Route.LoaderArgs) {
  // The link that asked for a new one is no link any more; the answer is the same for whatever was no link before.
  const outcome = new URL(request.url).searchParams.get('etat')
  const { findCustomerPage, describeOutcome } = context.get(pageContext).services.requests
  const page: CustomerPage =
    outcome === 'lien'
      ? { state: 'expired', reference: '', language: defaultLanguage }
      : await orNotFound(findCustomerPage(params.token))
  return data({ page, notice: describeOutcome(outcome) }, { headers: secretHeaders })
}

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  return {
    page: await orNotFound(callApi<CustomerPage>('POST', '/public_api/requests/page', { token: params.token })),
    notice: null,
  }
}

export const shouldRevalidate = revalidateOn()

export function headers() {
  return secretHeaders
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return missingPageTags(matches)
  const t = translator(customerPageTexts, languageOf(matches))
  return [
    { title: `${t('pageTitle', { reference: loaderData.page.reference })} | ${company.name}` },
    { name: 'robots', content: 'noindex, nofollow' },
    { name: 'referrer', content: 'no-referrer' },
  ]
}

/** `/suivi/{token}`: a customer follows a request, without an account; complete without JavaScript. */
export default function CustomerRequestPage({ loaderData: { page, notice }, params }: Route.ComponentProps) {
  const action = `/suivi/${params.token}`
  return (
    <div className="wrap max-w-5xl py-8 md:py-12">
      {page.state === 'expired' ? (
        <ExpiredPage reference={page.reference} action={action} notice={notice} />
      ) : (
        <Ticket page={page} action={action} notice={notice} />
      )}
    </div>
  )
}

type TicketProps = { page: OpenPage; action: string; notice: CustomerPageNotice | null }

export function Ticket({ page, action, notice }: TicketProps) {
  const t = useTexts(customerPageTexts)
  return (
    <>
      <div className="card grid overflow-hidden md:grid-cols-[19rem_minmax(0,1fr)] print:block">
        <Stub page={page} />
        <div className="grid content-start gap-5 border-dashed border-line p-5 max-md:border-t-2 sm:p-8 md:border-s-2 print:border-s-0 print:border-t-2 print:border-dashed">
          {page.incident ? <LinkedOutage incident={page.incident} /> : <NetworkNotice isSent />}
          <Thread page={page} action={action} />
          {page.continued_by && (
            <Link to={page.continued_by.path} reloadDocument className="font-bold text-brand underline underline-offset-2">
              {t('continued', page.continued_by)}
            </Link>
          )}
          <Answer page={page} action={action} notice={notice} />
        </div>
      </div>
      <p className="mt-5 flex items-start justify-center gap-2 text-sm text-ink-2 print:hidden">
        <LockIcon className="mt-1 shrink-0" />
        <span>
          <span>{`${t('personal')} ${t('validFor', { days: pageDays })}`}</span>{' '}
          <Link to="/about/personal_information" className="text-brand underline underline-offset-2">
            {t('privacy')}
          </Link>
        </span>
      </p>
    </>
  )
}

/** The outage that this request is about, in place of the notice of any other. */
function LinkedOutage({ incident }: { incident: NonNullable<OpenPage['incident']> }) {
  const t = useTexts(customerPageTexts)
  const language = useLanguage()
  const title = pickText(language, incident.title, incident.title_en)
  return (
    <p className="rounded-card bg-warn-soft px-6 py-5">
      <span>{t('incident', { title })}</span>{' '}
      <Link to="/reseau" className="font-bold text-brand underline underline-offset-4">
        {t('followIncident')}
      </Link>
    </p>
  )
}

/** What one keeps: number, state, person. */
function Stub({ page }: { page: OpenPage }) {
  const t = useTexts(customerPageTexts)
  const language = useLanguage()
  const isLive = useHydrated()
  const { tollFree } = company.phones
  const at = (time: string | null) =>
    time ? { detail: formatDateTime(time, language, { timeZone: company.hours.timeZone }) } : {}
  const isDone = page.status === 'done'
  const isTaken = isDone || page.status !== 'new'
  return (
    <section aria-label={t('title')} className="night grid content-start gap-5 bg-paper p-6 text-ink">
      <div>
        <h1 className="grid gap-1">
          <span className="text-base font-bold tracking-normal">{t('title')}</span>{' '}
          <span className="tabular text-3xl font-extrabold text-lamp print:text-ink">{page.reference}</span>
        </h1>
        {page.subject && (
          <p className="text-ink-2">
            <bdi>{page.subject}</bdi>
          </p>
        )}
        {page.continues && <p className="text-ink-2">{t('continues', { reference: page.continues })}</p>}
      </div>
      <Holes
        upright
        label={t('progress')}
        holes={[
          { mark: 'done', label: t('received'), ...at(page.created_at) },
          {
            mark: isDone || page.status === 'waiting' ? 'done' : isTaken ? 'now' : 'next',
            label: page.assignee ? t('takenBy', { name: page.assignee.name }) : t('taken'),
            ...at(page.taken_at),
          },
          ...(page.status === 'waiting' ? [{ mark: 'now' as const, label: t('waiting') }] : []),
          { mark: isDone ? 'done' : 'next', label: t('resolved'), ...at(page.done_at) },
        ]}
      />
      {page.assignee && (
        <p className="border-t border-line pt-5">
          <strong className="block">{page.assignee.name}</strong>
          <span className="text-ink-2">{pickText(language, page.assignee.title, page.assignee.title_en)}</span>
        </p>
      )}
      {isLive && (
        <Button variant="secondary" size="small" className="justify-self-start print:hidden" onClick={() => print()}>
          {t('print')}
        </Button>
      )}
      <p className="text-sm text-ink-2">
        <span>{t('call')}</span>{' '}
        <a href={`tel:${tollFree.e164}`} className="tabular inline-block py-0.5 font-bold text-ink underline underline-offset-2">
          {tollFree.display}
        </a>
      </p>
    </section>
  )
}

function Thread({ page, action }: { page: OpenPage; action: string }) {
  const t = useTexts(customerPageTexts)
  const language = useLanguage()
  return (
    <section aria-label={t('thread')}>
      <ol className="grid gap-5">
        {page.entries.map((entry) => {
          const isOwn = entry.kind === 'customer'
          const time = <time dateTime={entry.at}>{formatDateTime(entry.at, language, { timeZone: company.hours.timeZone })}</time>
          // Both sides wrote it.
          if (entry.channel === 'chat')
            return (
              <li key={entry.id_entry}>
                <details open={page.entries.length === 1} className="rounded-card border border-dashed border-ink-2 px-5 py-3">
                  <summary className="cursor-pointer">
                    <strong>{t('chat')}</strong>
                    <span>, </span>
                    {time}
                  </summary>
                  <EntryBody entry={entry} action={action} />
                </details>
              </li>
            )
          return (
            <li key={entry.id_entry} className={`grid max-w-[92%] gap-1 ${isOwn ? 'justify-self-end' : 'justify-self-start'}`}>
              <p className={`text-sm text-ink-2 ${isOwn ? 'text-end' : ''}`}>
                <strong className="text-ink">{isOwn ? t('you') : <bdi>{entry.author}</bdi>}</strong>
                <span>, </span>
                {time}
                <span>{isOwn || entry.channel === 'page' ? `, ${t(`by${entry.channel}`)}` : ''}</span>
              </p>
              <div
                className={`rounded-card px-5 pb-3 ${isOwn ? 'bg-brand text-on-brand print:border print:border-line print:bg-surface print:text-ink' : 'border border-line bg-surface'}`}
              >
                <EntryBody entry={entry} action={action} />
              </div>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

function EntryBody({ entry, action }: { entry: OpenPage['entries'][number]; action: string }) {
  const t = useTexts(customerPageTexts)
  const language = useLanguage()
  return (
    <div className="grid gap-3 pt-3 [&_a]:underline [&_a]:underline-offset-2">
      {entry.text && (
        <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
          {withLinks(entry.text)}
        </p>
      )}
      {entry.quoted && (
        <details className="print:hidden">
          <summary className="cursor-pointer text-sm underline underline-offset-2">{t('quoted')}</summary>
          <p dir="auto" className="mt-2 text-sm wrap-anywhere whitespace-pre-wrap">
            {withLinks(entry.quoted)}
          </p>
        </details>
      )}
      {entry.files.length > 0 && (
        <ul className="grid gap-1">
          {entry.files.map((file) => (
            <li key={file.id_file}>
              <a href={`${action}/fichiers/${file.id_file}`} className="py-0.5 wrap-anywhere">
                {t('download', { name: file.name, size: formatBytes(file.size, language) })}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

type SendingProps = { form: HTMLFormElement }

const AnswerUpload = lazy<ComponentType<SendingProps>>(() =>
  import('./answer-upload.tsx').catch(() => ({ default: SentByBrowser })),
)

/** The script of the progress bar could not be loaded. */
function SentByBrowser({ form }: SendingProps) {
  useEffect(() => form.submit(), [form])
  return null
}

/** Smaller files are sent before a progress bar would be seen. */
const shownFromBytes = 500_000

/** A page post with and without JavaScript, so that files need no script; with it, large files show their progress. */
function Answer({ page, action, notice }: TicketProps) {
  const [sent, setSent] = useState<HTMLFormElement | null>(null)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    // On its own: the page is complete without it.
    const isGone = new AbortController()
    import('./answer-draft.ts').then(
      ({ keepDraft }) => form.current && keepDraft(form.current, page, isGone.signal),
      console.warn,
    )
    return () => isGone.abort()
  }, [page])
  const t = useTexts(customerPageTexts)
  const language = useLanguage()
  const values = { count: replyFilesMax, size: formatBytes(replyFilesMaxBytes, language) }
  const isDone = page.status === 'done'
  return (
    <div id="reponse" className="grid scroll-mt-6 gap-5 border-t-2 border-dashed border-line pt-5 print:hidden">
      <OutcomeNotice notice={notice} />
      <form
        method="post"
        encType="multipart/form-data"
        ref={form}
        action={action}
        className="grid gap-4"
        onSubmit={(event) => {
          const { currentTarget } = event
          if (filesOf(currentTarget).reduce((sum, { size }) => sum + size, 0) < shownFromBytes) return
          event.preventDefault()
          setSent(currentTarget)
        }}
      >
        <HiddenLanguage />
        <input type="hidden" name="client_id" value={page.client_id} />
        <label className="grid gap-2">
          <span className="text-lg font-bold">{page.assignee ? t('replyTo', { name: page.assignee.name }) : t('reply')}</span>
          {isDone && <span className="text-sm text-ink-2">{t(page.reopens ? 'reopen' : 'begin')}</span>}
          <textarea name="text" rows={4} maxLength={replyMax} className="input" placeholder={t('placeholder')} />
        </label>
        <div className="flex flex-wrap items-end justify-between gap-4">
          <label className="grid min-w-0 gap-1 text-sm">
            <span className="font-bold">{t('files')}</span>
            <span className="text-ink-2">{t('filesHint', values)}</span>
            <input type="file" name="files" multiple className="max-w-full" />
          </label>
          <Button type="submit" busy={sent !== null} className="max-sm:w-full">
            {t('send')}
          </Button>
        </div>
        <Suspense fallback={null}>{sent && <AnswerUpload form={sent} />}</Suspense>
      </form>
      {!isDone && (
        <form
          method="post"
          encType="multipart/form-data"
          action={action}
          className="flex flex-wrap items-center justify-between gap-3 rounded-card bg-ok-soft px-5 py-4"
        >
          <HiddenLanguage />
          <p className="min-w-48 flex-1">
            <strong>{t('doneTitle')}</strong> <span>{t('doneText')}</span>
          </p>
          <Button type="submit" variant="secondary" name="action" value="regle" className="max-sm:w-full">
            {t('done')}
          </Button>
        </form>
      )}
    </div>
  )
}

type ExpiredProps = Pick<TicketProps, 'action' | 'notice'> & { reference: string }

function ExpiredPage({ reference, action, notice }: ExpiredProps) {
  const t = useTexts(customerPageTexts)
  return (
    <form
      method="post"
      encType="multipart/form-data"
      action={action}
      id="reponse"
      className="card mx-auto grid max-w-2xl gap-5 p-6 sm:p-8"
    >
      <h1 className="text-2xl">{t('expiredTitle')}</h1>
      {reference && <p>{t('expiredText', { reference, days: pageDays })}</p>}
      <HiddenLanguage />
      <OutcomeNotice notice={notice} />
      {reference && (
        <Button type="submit" name="action" value="lien" className="justify-self-start">
          {t('newLink')}
        </Button>
      )}
    </form>
  )
}

function HiddenLanguage() {
  const language = useLanguage()
  return language === defaultLanguage ? null : <input type="hidden" name="lang" value={language} />
}

/** What became of the last post. */
function OutcomeNotice({ notice }: Pick<TicketProps, 'notice'>) {
  const language = useLanguage()
  if (!notice) return null
  return (
    <p
      role={notice.is_good ? 'status' : 'alert'}
      className={`rounded-card px-5 py-3 font-bold ${notice.is_good ? 'bg-ok-soft text-ok' : 'bg-err-soft text-err'}`}
    >
      {notice.text[language]}
    </p>
  )
}
