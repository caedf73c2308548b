import { useLocation, useNavigation, useSearchParams } from 'react-router'
import { hasRight } from '#src/lib/rights.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { changeQuery, describeTotal, formatCount, mostCounted, pickQuery } from '#src/lib/lists.ts'
import { getJson } from '#src/ui/api.ts'
import { getPage } from '#src/ui/get-page.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button, ButtonLink } from '#src/ui/components/button.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { downloadFile } from '#src/ui/download-file.ts'
import { DownloadIcon } from '#src/ui/components/icons.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { LoadingOverlay } from '#src/ui/components/loading.tsx'
import { Pagination } from '#src/ui/components/pagination.tsx'
import { Moment } from '#src/ui/components/moment.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { ClearFilter, FilterButton, FilterForm, SearchField, useFilter } from '#src/features/content/web/filter-form.tsx'
import { SelectField } from '#src/ui/forms/field.tsx'
import { adminRequestTexts, suspectedTexts } from '../admin-texts.ts'
import type { Assignee, InboxMail, RequestBlock, RequestSummary, RequestViewCounts, SuspectedSummary } from '../contract.ts'
import { requestThreadTexts } from '../request-thread-texts.ts'
import { requestsPerPage, requestKinds, requestStatuses, requestViews } from '../values.ts'
import type { Route } from './+types/admin-requests-page.ts'
import { BlockedSenders } from './blocked-senders.tsx'
import { InboxList } from './inbox-list.tsx'
import { MailBadge, StatusBadge, HollowCount, reviewPath } from './request-badges.tsx'
import { SuspectedList } from './suspected-list.tsx'

const path = '/api/requests/requests'
const filterNames = ['status', 'kind', 'assigned_to', 'search', 'view']
const listNames = [...filterNames, 'sort', 'page']

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const query = new URL(request.url).searchParams
  const isReview = query.get('status') === 'suspected'
  // What waits for a decision is read from the oldest on.
  const asked = query.has('sort') ? query : changeQuery(query, { sort: isReview ? 'created_at' : 'due' })
  const isSpam = query.get('view') === 'spam'
  const [{ rows, total }, assignees, suspected, counts, mails, blocks] = await Promise.all([
    getPage(`${path}${pickQuery(asked, listNames)}`),
    getJson<Assignee[]>(`${path}/assignees`),
    getJson<SuspectedSummary>(`${path}/suspected`),
    getJson<RequestViewCounts>(`${path}/views`),
    getJson<InboxMail[]>(`${path}/inbox`),
    isSpam ? getJson<RequestBlock[]>(`${path}/blocks`) : null,
  ])
  return { rows: rows as RequestSummary[], total, assignees, suspected, counts, mails, blocks, isReview }
}

/** `/admin/demandes`: what the forms of the site brought, newest first. */
export default function AdminRequestsPage({ loaderData }: Route.ComponentProps) {
  const { rows, total, assignees, suspected, counts, mails, blocks, isReview } = loaderData
  const t = useTexts(adminRequestTexts)
  const s = useTexts(suspectedTexts)
  const r = useTexts(requestThreadTexts)
  const { rights } = useProfile()
  const language = useLanguage()
  const { search } = useLocation()
  const { state } = useNavigation()
  const [query] = useSearchParams()
  const { busy, run, toast } = useAction()
  const exported = pickQuery(query, filterNames)
  const sort = query.get('sort') ?? 'due'
  const addressOf = (changes: Record<string, string | null>) =>
    `/admin/demandes${pickQuery(changeQuery(query, changes), listNames)}`
  const sorting = {
    key: sort.replace(/^-/, ''),
    descending: sort.startsWith('-'),
    to: (key: string) => addressOf({ sort: sort === key ? `-${key}` : key, page: null }),
  }

  const pagination = (
    <Pagination
      page={Number(query.get('page') ?? 1)}
      count={Math.ceil(Math.min(total, mostCounted - 1) / requestsPerPage)}
      to={(page) => addressOf({ page: String(page) })}
    />
  )
  if (isReview) {
    return (
      <>
        <AdminHead title={s('title')} backTo="/admin/demandes" />
        <SuspectedList rows={rows} summary={suspected} canWrite={hasRight(rights, 'requests', 'read_write')} />
        <div className="mt-6">{pagination}</div>
        <InboxList mails={mails} canWrite={hasRight(rights, 'requests', 'read_write')} />
      </>
    )
  }
  return (
    <>
      <AdminHead
        title={t('title')}
        subtitle={describeTotal(t, total)}
        backTo="/admin/panel"
        actions={
          <>
            {hasRight(rights, 'requests', 'administrator') && (
              <ButtonLink to="/admin/demandes/settings" variant="secondary">
                {r('settings')}
              </ButtonLink>
            )}
            {total > 0 && (
              <Button
                variant="secondary"
                busy={busy}
                onClick={() =>
                  void run(
                    () => downloadFile('GET', `${path}/export.csv${exported}${exported ? '&' : '?'}language=${language}`),
                    {},
                  )
                }
              >
                <DownloadIcon />
                <span>{t('export')}</span>
              </Button>
            )}
          </>
        }
      />
      <Toast {...toast} />
      <Views counts={counts} current={query.get('view')} addressOf={(view) => addressOf({ view, page: null })} />
      <p className="mb-5">
        <Link to={reviewPath} className="inline-flex items-center gap-2 py-0.5 font-bold text-brand underline underline-offset-4">
          <span>{s('view')}</span>
          <HollowCount count={suspected.count + mails.filter(({ state }) => state === 'waiting').length} />
        </Link>
      </p>
      <RequestFilter assignees={assignees} />
      <LoadingOverlay busy={state === 'loading'}>
        {rows.length === 0 ? (
          <EmptyState title={t(exported ? 'noMatch' : 'empty')}>{t(exported ? 'noMatchHint' : 'emptyHint')}</EmptyState>
        ) : (
          <div className="grid gap-6">
            <Table
              caption={t('title')}
              rows={rows}
              sorting={sorting}
              rowKey={(row) => row.id_request}
              columns={[
                {
                  header: t('reference'),
                  isRowHeader: true,
                  isShort: true,
                  cell: (row) => (
                    <Link
                      to={`/admin/demandes/${row.id_request}`}
                      state={{ search }}
                      className="tabular inline-block py-0.5 whitespace-nowrap text-brand underline underline-offset-2"
                    >
                      {row.reference}
                    </Link>
                  ),
                },
                {
                  header: t('status'),
                  sortKey: 'status',
                  cell: (row) => (
                    <span className="flex flex-wrap gap-1">
                      <StatusBadge status={row.status} />
                      {row.is_late && <Badge tone="err">{r('late')}</Badge>}
                    </span>
                  ),
                },
                {
                  header: t('name'),
                  sortKey: 'name',
                  cell: (row) => <bdi>{row.name}</bdi>,
                },
                {
                  header: t('subject'),
                  cell: (row) => <bdi>{row.subject || t(row.kind)}</bdi>,
                  isText: true,
                },
                {
                  header: t('assignee'),
                  cell: (row) =>
                    row.assigned_to ? (
                      <bdi>{row.assigned_to.display_name}</bdi>
                    ) : (
                      <span className="text-ink-2">{t('nobody')}</span>
                    ),
                },
                { header: t('mailState'), cell: (row) => <WorstMail row={row} /> },
                {
                  header: t('received'),
                  sortKey: 'created_at',
                  cell: (row) => <Moment at={row.created_at} />,
                },
              ]}
            />
            {pagination}
          </div>
        )}
      </LoadingOverlay>
      {blocks && (
        <div className="mt-10 max-w-3xl">
          <BlockedSenders blocks={blocks} canWrite={hasRight(rights, 'requests', 'read_write')} />
        </div>
      )}
    </>
  )
}

const badMail = new Set<string>(['failed', 'bounced'])

/** The state of the mails to the customer and to the staff that needs somebody most. */
function WorstMail({ row }: { row: RequestSummary }) {
  const state = row.delivery && (badMail.has(row.delivery) || row.mail_state !== 'failed') ? row.delivery : row.mail_state
  return state && <MailBadge state={state} />
}

const viewKeys = {
  mine: 'viewMine',
  unassigned: 'viewUnassigned',
  late: 'viewLate',
  waiting: 'viewWaiting',
  done: 'viewDone',
  spam: 'viewSpam',
} as const

type ViewsProps = { counts: RequestViewCounts; current: string | null; addressOf: (view: string | null) => string }

/** The views of the list, each with its count. */
function Views({ counts, current, addressOf }: ViewsProps) {
  const r = useTexts(requestThreadTexts)
  const language = useLanguage()
  const shown = requestViews.filter((view) => view !== 'spam' || counts.spam > 0)
  const look = (isCurrent: boolean) =>
    `inline-flex items-center gap-2 rounded-full border-2 px-4 py-1.5 font-bold ${isCurrent ? 'border-ink bg-ink text-paper' : 'border-edge'}`
  return (
    <nav aria-label={r('views')} className="mb-5">
      <ul className="flex flex-wrap gap-2">
        <li>
          <Link to={addressOf(null)} aria-current={current === null ? 'page' : undefined} className={look(current === null)}>
            {r('viewAll')}
          </Link>
        </li>
        {shown.map((view) => (
          <li key={view}>
            <Link to={addressOf(view)} aria-current={current === view ? 'page' : undefined} className={look(current === view)}>
              <span>{r(viewKeys[view])}</span> <span className="tabular">{formatCount(counts[view], language)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** What the list of requests shows. */
function RequestFilter({ assignees }: { assignees: Assignee[] }) {
  const t = useTexts(adminRequestTexts)
  const r = useTexts(requestThreadTexts)
  const { id_user: me } = useProfile()
  const { valueOf, isFiltered } = useFilter(['search', 'status', 'kind', 'assigned_to'])
  return (
    <FilterForm>
      <SearchField
        label={t('search')}
        placeholder={t('searchHint')}
        value={valueOf('search')}
        className="col-span-full md:col-span-3"
      />
      <div className="col-span-full flex flex-wrap items-center gap-4 md:col-span-1">
        <FilterButton>{t('filter')}</FilterButton>
        {isFiltered && <ClearFilter to="/admin/demandes">{t('clear')}</ClearFilter>}
      </div>
      <SelectField label={t('status')} name="status" defaultValue={valueOf('status')}>
        <option value="">{t('anyStatus')}</option>
        {requestStatuses.map((status) => (
          <option key={status} value={status}>
            {t(status)}
          </option>
        ))}
      </SelectField>
      <SelectField label={t('kind')} name="kind" defaultValue={valueOf('kind')}>
        <option value="">{t('anyKind')}</option>
        {requestKinds.map((kind) => (
          <option key={kind} value={kind}>
            {t(kind)}
          </option>
        ))}
      </SelectField>
      <SelectField label={t('assignee')} name="assigned_to" defaultValue={valueOf('assigned_to')}>
        <option value="">{t('anyAssignee')}</option>
        <option value="none">{t('nobody')}</option>
        {assignees.map(({ id_user, display_name }) => (
          <option key={id_user} value={id_user}>
            {id_user === me ? t('me', { name: display_name }) : display_name}
          </option>
        ))}
      </SelectField>
      <SelectField label={t('sort')} name="sort" defaultValue={valueOf('sort').replace(/^due$/, '')}>
        <option value="">{r('sortDue')}</option>
        <option value="-created_at">{t('sortNewest')}</option>
        <option value="created_at">{t('sortOldest')}</option>
        <option value="name">{t('sortName')}</option>
        <option value="-name">{t('sortNameBack')}</option>
        <option value="status">{t('sortStatus')}</option>
        <option value="-status">{t('sortStatusBack')}</option>
      </SelectField>
    </FilterForm>
  )
}
