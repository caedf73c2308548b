import { useState } from 'react'
import { useRevalidator, useSearchParams } from 'react-router'
import { useRight, useRights } from '#src/features/content/web/admin-context.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { ClearFilter, FilterButton, FilterForm, SearchField, useFilter } from '#src/features/content/web/filter-form.tsx'
import { EntryTabs } from '#src/features/content/web/entry-tabs.tsx'
import { changeQuery, formatCount } from '#src/lib/lists.ts'
import { hasRight } from '#src/lib/rights.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { getPage } from '#src/ui/get-page.ts'
import { Moment } from '#src/ui/components/moment.tsx'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button, ButtonLink } from '#src/ui/components/button.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { Pagination } from '#src/ui/components/pagination.tsx'
import { StatusIcon } from '#src/ui/components/status-icon.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { MissingAddress, Redirect, RedirectCounts, Target } from '../contract.ts'
import { redirectTexts } from '../texts.ts'
import { redirectsPerPage } from '../values.ts'
import type { Route } from './+types/admin-redirects-page.ts'
import { MissingAddresses } from './missing-addresses.tsx'
import type { RedirectDraft } from './redirect-dialog.tsx'
import { RedirectDialog, redirectsPath } from './redirect-dialog.tsx'
import { TryAddress } from './try-address.tsx'

const missingPath = '/api/redirects/missing'
const states = ['all', 'broken', 'waiting', 'unused'] as const
const emptyDraft: RedirectDraft = { from: '', to: '', status: 301 }

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const asked = new URL(request.url).searchParams
  const query = new URLSearchParams()
  for (const [name, to] of [
    ['state', 'state'],
    ['search', 'q'],
    ['page', 'page'],
  ] as const) {
    const value = asked.get(name)
    if (value) query.set(to, value)
  }
  const [{ rows, total }, counts, missing] = await Promise.all([
    getPage(`${redirectsPath}?${query}`),
    getJson<RedirectCounts>('/api/redirects/counts'),
    getJson<MissingAddress[]>(missingPath),
  ])
  return { rows: rows as Redirect[], total, counts, missing }
}

/** `/admin/redirects`: where old addresses lead, and those that were asked in vain. */
export default function AdminRedirectsPage({ loaderData: { rows, total, counts, missing } }: Route.ComponentProps) {
  useRight(['company'], 'read_only')
  const t = useTexts(redirectTexts)
  const canWrite = hasRight(useRights(), 'company', 'read_write')
  const { revalidate } = useRevalidator()
  const { busy, run, toast } = useAction()
  const [query, setQuery] = useSearchParams()
  const [opened, setOpened] = useState<{ draft: RedirectDraft; focus: 'from' | 'to' } | null>(null)
  const asked = canWrite && query.has('new') ? { draft: emptyDraft, focus: 'from' as const } : null
  const editing = opened ?? asked

  const close = () => {
    setOpened(null)
    if (asked) setQuery(changeQuery(query, { new: null }), { replace: true })
  }
  const undo = (label: string, work: () => Promise<unknown>) => (
    <Button variant="link" onClick={() => void run(async () => work().finally(revalidate), { done: label })}>
      {t('undo')}
    </Button>
  )
  const takeBack = ({ id_redirect: id }: Redirect) => undo(t('undone'), () => callApi('DELETE', `${redirectsPath}/${id}`))
  const handleSaved = async (saved: Redirect, isNew: boolean) => {
    close()
    await run(async () => revalidate(), { done: t('saved', { from: saved.from }), ...(isNew && { action: takeBack(saved) }) })
  }
  const remove = async ({ id_redirect: id, from, to, status }: Redirect) => {
    const back = undo(t('undone'), () => callApi('POST', redirectsPath, { from, to, status }))
    await run(() => callApi('DELETE', `${redirectsPath}/${id}`).finally(revalidate), {
      done: t('removed', { from }),
      action: back,
    })
    focusOn('#redirects')
  }
  const redirectMissing = async (path: string, target: Target | null) => {
    if (!target) return setOpened({ draft: { ...emptyDraft, from: path }, focus: 'to' })
    let saved: Redirect | null = null
    const work = async () => {
      saved = await callApi<Redirect>('POST', redirectsPath, { from: path, to: target.path, status: 301 })
      await revalidate()
    }
    await run(work, {
      done: t('saved', { from: path }),
      action: undo(t('undone'), async () => saved && callApi('DELETE', `${redirectsPath}/${saved.id_redirect}`)),
    })
    focusOn('[data-missing], #missing')
  }
  const ignore = async (path: string) => {
    const set = (ignored: boolean) => callApi('PUT', missingPath, { path, ignored })
    await run(() => set(true).finally(revalidate), { done: t('ignored', { path }), action: undo(t('undone'), () => set(false)) })
    focusOn('[data-missing], #missing')
  }
  return (
    <>
      <AdminHead title={t('title')} />
      <EntryTabs entry="/admin/importer" />
      <Summary counts={counts} missing={missing} />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid content-start gap-6">
          <TryAddress canWrite={canWrite} onAdd={(from) => setOpened({ draft: { ...emptyDraft, from }, focus: 'to' })} />
          <RedirectList
            rows={rows}
            total={total}
            counts={counts}
            canWrite={canWrite}
            isBusy={busy}
            onEdit={(draft, focus) => setOpened({ draft, focus })}
            onRemove={(row) => void remove(row)}
          />
        </div>
        <div className="order-first grid lg:order-last">
          <MissingAddresses
            missing={missing}
            canWrite={canWrite}
            isBusy={busy}
            onRedirect={(path, target) => void redirectMissing(path, target)}
            onIgnore={(path) => void ignore(path)}
          />
        </div>
      </div>
      <RedirectDialog
        draft={editing?.draft ?? null}
        focus={editing?.focus ?? 'from'}
        onClose={close}
        onSaved={(saved, isNew) => void handleSaved(saved, isNew)}
      />
      <Toast {...toast} />
    </>
  )
}

/** The pressed button is gone with its row. */
function focusOn(selector: string) {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus())
}

function Summary({ counts, missing }: { counts: RedirectCounts; missing: MissingAddress[] }) {
  const t = useTexts(redirectTexts)
  const asked = missing.filter(({ scanner }) => !scanner).length
  const parts = [
    ...(counts.broken > 0 ? [t('summaryBroken', { count: counts.broken })] : []),
    ...(asked > 0 ? [t('summaryMissing', { count: asked })] : []),
  ]
  if (counts.all === 0 && parts.length === 0) return null
  return (
    <div className="mb-6 flex items-start gap-3">
      <StatusIcon status={parts.length > 0 ? 'WARNING' : 'OK'} size={28} />
      <div>
        <p className="text-xl font-bold">{parts.join(', ') || t('summaryWell')}</p>
        {counts.waiting > 0 && <p className="text-ink-2">{t('summaryWaiting', { count: counts.waiting })}</p>}
      </div>
    </div>
  )
}

type ListProps = {
  rows: Redirect[]
  total: number
  counts: RedirectCounts
  canWrite: boolean
  isBusy: boolean
  onEdit: (draft: RedirectDraft, focus: 'from' | 'to') => void
  onRemove: (row: Redirect) => void
}

function RedirectList({ rows, total, counts, canWrite, isBusy, onEdit, onRemove }: ListProps) {
  const t = useTexts(redirectTexts)
  const language = useLanguage()
  const canImport = hasRight(useRights(), 'company', 'administrator')
  const { query, valueOf, isFiltered } = useFilter(['state', 'search'])
  const state = states.find((one) => one === valueOf('state')) ?? 'all'
  const toState = (one: (typeof states)[number]) =>
    `?${String(changeQuery(query, { state: one === 'all' ? null : one, page: null }))}`
  const toPage = (page: number) => `?${String(changeQuery(query, { page: String(page) }))}`
  return (
    <section aria-labelledby="redirects" className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="redirects" className="text-xl" tabIndex={-1}>
          <span>{t('redirects')}</span>{' '}
          <span className="text-base font-normal text-ink-2 tabular">{formatCount(counts.all, language)}</span>
        </h2>
        <div className="flex flex-wrap gap-3">
          {canImport && (
            <ButtonLink variant="secondary" to="/admin/importer?kind=redirects">
              {t('importList')}
            </ButtonLink>
          )}
          {canWrite && <Button onClick={() => onEdit(emptyDraft, 'from')}>{t('add')}</Button>}
        </div>
      </div>
      {counts.all > 0 && (
        <>
          <FilterForm>
            {state !== 'all' && <input type="hidden" name="state" value={state} />}
            <SearchField label={t('search')} placeholder={t('searchHint')} value={valueOf('search')} />
            <FilterButton>{t('search')}</FilterButton>
            {isFiltered && <ClearFilter to="/admin/redirects">{t('clear')}</ClearFilter>}
          </FilterForm>
          <nav aria-label={t('filters')} className="flex flex-wrap gap-2">
            {states.map((one) => (
              <Link
                key={one}
                to={toState(one)}
                aria-current={one === state ? 'true' : undefined}
                className={`button button-small ${one === state ? 'button-primary' : 'button-secondary'}`}
              >
                {`${t(one)} ${formatCount(counts[one], language)}`}
              </Link>
            ))}
          </nav>
        </>
      )}
      {rows.length === 0 ? (
        <EmptyState title={t(isFiltered ? 'noMatch' : 'empty')}>{t(isFiltered ? 'noMatchHint' : 'emptyHint')}</EmptyState>
      ) : (
        <>
          <Table<Redirect>
            caption={t('redirects')}
            rows={rows}
            rowKey={(row) => row.id_redirect}
            columns={[
              {
                header: t('from'),
                isRowHeader: true,
                cell: ({ from }) => (
                  <span className="wrap-anywhere">
                    <span>{from}</span>
                    {from.endsWith('*') && <small className="block font-normal text-ink-2">{t('prefix')}</small>}
                  </span>
                ),
              },
              { header: t('to'), cell: (row) => <Destination row={row} /> },
              { header: t('hits'), className: 'tabular', cell: ({ hits }) => formatCount(hits, language) },
              {
                header: t('lastHit'),
                cell: ({ last_hit: last }) => (last ? <Moment at={last} /> : t('never')),
              },
            ]}
            {...(canWrite && {
              actions: {
                header: t('actions'),
                cell: (row: Redirect) => (
                  <>
                    <Button
                      variant="secondary"
                      size="small"
                      aria-label={t(row.state === 'broken' ? 'correctOf' : 'editOf', { from: row.from })}
                      onClick={() => onEdit(row, 'to')}
                    >
                      {t(row.state === 'broken' ? 'correct' : 'edit')}
                    </Button>
                    <Button
                      variant="quiet"
                      size="small"
                      disabled={isBusy}
                      aria-label={t('removeOf', { from: row.from })}
                      onClick={() => onRemove(row)}
                    >
                      {t('remove')}
                    </Button>
                  </>
                ),
              },
            })}
          />
          <Pagination page={Number(query.get('page') ?? 1)} count={Math.ceil(total / redirectsPerPage)} to={toPage} />
        </>
      )}
    </section>
  )
}

function Destination({ row: { to, status, state } }: { row: Redirect }) {
  const t = useTexts(redirectTexts)
  if (to === null) {
    return (
      <span className="flex flex-wrap gap-2">
        <Badge tone="neutral">{status}</Badge>
        <span>{t('gone')}</span>
      </span>
    )
  }
  return (
    <span className="grid justify-items-start gap-1">
      <span
        className={`font-bold wrap-anywhere ${state === 'waiting' ? 'rounded-card border border-dashed border-ink-2 px-2' : ''}`}
      >
        {to}
      </span>
      {state === 'broken' && (
        <span className="flex items-center gap-1 text-sm font-bold text-err">
          <StatusIcon status="ERROR" size={16} />
          <span>{t('isBroken')}</span>
        </span>
      )}
      {state === 'waiting' && <span className="text-sm text-ink-2">{t('isWaiting')}</span>}
      {!to.startsWith('/') && <span className="text-sm text-ink-2">{t('otherSite')}</span>}
    </span>
  )
}
