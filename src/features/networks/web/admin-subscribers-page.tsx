import type { FormEvent } from 'react'
import { useId, useState } from 'react'
import { useRevalidator, useSearchParams } from 'react-router'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { ClearFilter, FilterButton, FilterForm, SearchField, useFilter } from '#src/features/content/web/filter-form.tsx'
import { languages, locales } from '#src/lib/language/language.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { getPage } from '#src/ui/get-page.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { Disclosure } from '#src/ui/components/card.tsx'
import { ConfirmDialog, Dialog } from '#src/ui/components/dialog.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { Pagination } from '#src/ui/components/pagination.tsx'
import { Moment } from '#src/ui/components/moment.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { SelectField, TextField } from '#src/ui/forms/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { Network } from '../contract.ts'
import type { Subscriber, SubscriberCounts } from '../subscription.ts'
import { subscriberTexts } from '../subscriber-texts.ts'
import { topics } from '../values.ts'
import type { Route } from './+types/admin-subscribers-page.ts'

const path = '/api/networks/subscribers'
const listPath = '/admin/reseau/abonnes'
const perPage = 50
const states = ['active', 'pending', 'paused', 'left'] as const
const tones = { active: 'ok', pending: 'neutral', paused: 'warn', left: 'neutral' } as const

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const asked = new URL(request.url).searchParams
  const query = new URLSearchParams()
  for (const [name, to] of [
    ['state', 'state'],
    ['search', 'q'],
    ['language', 'language'],
    ['topic', 'topic'],
    ['network', 'network'],
    ['page', 'page'],
  ] as const) {
    const value = asked.get(name)
    if (value) query.set(to, value)
  }
  const [{ rows, total }, counts, networks] = await Promise.all([
    getPage(`${path}?${query}`),
    getJson<SubscriberCounts>(`${path}/counts`),
    getJson<Network[]>('/api/networks/reseau'),
  ])
  return { rows: rows as Subscriber[], total, counts, networks }
}

/** Who receives the notices of the network status, with their consent. */
export default function AdminSubscribersPage({ loaderData: { rows, total, counts, networks } }: Route.ComponentProps) {
  useRight(['networks'], 'read_write')
  const t = useTexts(subscriberTexts)
  const language = useLanguage()
  const { revalidate } = useRevalidator()
  const { busy, run, toast } = useAction()
  const [removing, setRemoving] = useState<Subscriber | null>(null)
  const [correcting, setCorrecting] = useState<Subscriber | null>(null)
  const [query] = useSearchParams()
  const { valueOf, isFiltered } = useFilter(['state', 'search', 'language', 'topic', 'network'])
  const nameOf = (id: number) => networks.find((one) => one.id_reseau === id)?.nom ?? t('removedNetwork')
  const toPage = (page: number) => {
    const next = new URLSearchParams(query)
    next.set('page', String(page))
    return `?${next}`
  }
  const act = ({ id_subscriber: id, email }: Subscriber, action: 'pause' | 'resume') =>
    run(() => callApi('POST', `${path}/${id}/${action}`, {}).finally(revalidate), {
      done: t(action === 'pause' ? 'pausedDone' : 'resumed', { email }),
    })
  const remove = async ({ id_subscriber: id }: Subscriber) => {
    await run(() => callApi('DELETE', `${path}/${id}`), { done: t('removed') })
    setRemoving(null)
    await revalidate()
  }
  return (
    <>
      <AdminHead title={t('title')} backTo="/admin/reseau" />
      <Counts counts={counts} networks={networks} />
      <FilterForm>
        <SearchField label={t('search')} placeholder={t('searchHint')} value={valueOf('search')} />
        <SelectField label={t('state')} name="state" defaultValue={valueOf('state')}>
          <option value="">{t('anyState')}</option>
          {states.map((state) => (
            <option key={state} value={state}>
              {t(state)}
            </option>
          ))}
        </SelectField>
        <SelectField label={t('language')} name="language" defaultValue={valueOf('language')}>
          <option value="">{t('anyLanguage')}</option>
          {languages.map((one) => (
            <option key={one} value={one}>
              {t(one)}
            </option>
          ))}
        </SelectField>
        <SelectField label={t('topic')} name="topic" defaultValue={valueOf('topic')}>
          <option value="">{t('anyState')}</option>
          {topics.map((topic) => (
            <option key={topic} value={topic}>
              {t(topic)}
            </option>
          ))}
        </SelectField>
        <SelectField label={t('network')} name="network" defaultValue={valueOf('network')}>
          <option value="">{t('anyState')}</option>
          {networks.map(({ id_reseau: id, nom }) => (
            <option key={id} value={id}>
              {nom}
            </option>
          ))}
        </SelectField>
        <FilterButton>{t('search')}</FilterButton>
        {isFiltered && <ClearFilter to={listPath}>{t('clear')}</ClearFilter>}
      </FilterForm>
      {rows.length === 0 ? (
        <EmptyState title={t(isFiltered ? 'noMatch' : 'empty')}>{t(isFiltered ? 'noMatchHint' : 'emptyHint')}</EmptyState>
      ) : (
        <div className="grid gap-6">
          <Table
            caption={t('title')}
            rows={rows}
            rowKey={(row) => row.id_subscriber}
            columns={[
              { header: t('email'), isRowHeader: true, cell: ({ email }) => <span className="wrap-anywhere">{email}</span> },
              {
                header: t('state'),
                cell: ({ state, bounces, bounce_reason: reason }) => (
                  <div className="grid justify-items-start gap-1">
                    <Badge tone={tones[state]}>{t(state)}</Badge>
                    {bounces > 0 && <small className="wrap-anywhere">{t('bounces', { count: bounces, reason })}</small>}
                  </div>
                ),
              },
              {
                header: t('choices'),
                isText: true,
                cell: (row) => (
                  <>
                    <span>{[t(row.language), ...row.topics.map((topic) => t(topic))].join(', ')}</span>
                    <br />
                    <span>{row.networks ? row.networks.map(nameOf).join(', ') : t('allNetworks')}</span>
                  </>
                ),
              },
              {
                header: t('consent'),
                cell: ({ consent: { text, at, address } }) => (
                  <details>
                    <summary className="cursor-pointer underline underline-offset-2">
                      <Moment at={at} />
                    </summary>
                    <p className="text-sm whitespace-pre-line">{text}</p>
                    <p className="text-sm">{t('consentFrom', { at: formatDateTime(at, language), address })}</p>
                  </details>
                ),
              },
            ]}
            actions={{
              header: t('actions'),
              cell: (row) => (
                <span className="flex flex-wrap justify-end gap-2">
                  {(row.state === 'active' || row.state === 'paused') && (
                    <Button
                      size="small"
                      variant="secondary"
                      disabled={busy}
                      aria-label={t(row.state === 'paused' ? 'resumeOf' : 'pauseOf', { email: row.email })}
                      onClick={() => void act(row, row.state === 'paused' ? 'resume' : 'pause')}
                    >
                      {t(row.state === 'paused' ? 'resume' : 'pause')}
                    </Button>
                  )}
                  <Button
                    size="small"
                    variant="secondary"
                    aria-label={t('correctOf', { email: row.email })}
                    onClick={() => setCorrecting(row)}
                  >
                    {t('correct')}
                  </Button>
                  <Button
                    size="small"
                    variant="danger"
                    aria-label={t('removeOf', { email: row.email })}
                    onClick={() => setRemoving(row)}
                  >
                    {t('remove')}
                  </Button>
                </span>
              ),
            }}
          />
          <Pagination page={Number(query.get('page') ?? 1)} count={Math.ceil(total / perPage)} to={toPage} />
        </div>
      )}
      <ConfirmDialog
        open={removing !== null}
        title={t('removeTitle', { email: removing?.email ?? '' })}
        consequence="final"
        confirmLabel={t('remove')}
        busy={busy}
        onCancel={() => setRemoving(null)}
        onConfirm={() => {
          if (removing) void remove(removing)
        }}
      />
      <Correction
        key={correcting?.id_subscriber}
        subscriber={correcting}
        onClose={() => setCorrecting(null)}
        onDone={() => void revalidate()}
      />
      <Toast {...toast} />
    </>
  )
}

/** How many receive the notices: in all, and of each network and topic. */
function Counts({ counts, networks }: { counts: SubscriberCounts; networks: readonly Network[] }) {
  const t = useTexts(subscriberTexts)
  const language = useLanguage()
  const numbers = new Intl.NumberFormat(locales[language])
  const asText = (count: number) => numbers.format(count)
  const { fr, en } = counts.active
  const rows = [
    ...counts.networks.map(({ id_reseau: id, ...count }) => ({
      key: String(id),
      name: networks.find((one) => one.id_reseau === id)?.nom ?? t('removedNetwork'),
      ...count,
    })),
    ...topics.map((topic) => ({ key: topic, name: t(topic), ...counts.topics[topic] })),
  ]
  return (
    <section aria-label={t('counts')} className="mb-6 grid gap-2">
      <p className="text-lg font-bold">{t('activeCount', { count: asText(fr + en), fr: asText(fr), en: asText(en) })}</p>
      <p className="text-ink-2">
        {t('othersCount', { pending: asText(counts.pending), paused: asText(counts.paused), left: asText(counts.left) })}
      </p>
      <Disclosure title={t('details')}>
        <Table
          caption={t('details')}
          rows={rows}
          rowKey={(row) => row.key}
          columns={[
            { header: t('noticesOf'), isRowHeader: true, cell: ({ name }) => name },
            { header: t('fr'), cell: (row) => asText(row.fr) },
            { header: t('en'), cell: (row) => asText(row.en) },
          ]}
        />
      </Disclosure>
    </section>
  )
}

type CorrectionProps = { subscriber: Subscriber | null; onClose: () => void; onDone: () => void }

function Correction({ subscriber, onClose, onDone }: CorrectionProps) {
  const t = useTexts(subscriberTexts)
  const f = useTexts(failureTexts)
  const form = useId()
  const [email, setEmail] = useState(subscriber?.email ?? '')
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblem('')
    try {
      await callApi('PUT', `${path}/${subscriber?.id_subscriber}`, { email, reason })
      onClose()
    } catch (error) {
      console.warn(error)
      const failure = failureOf(error)
      if (failure === 'invalid') setProblem(t('wrongEmail'))
      else setProblem(failure === 'conflict' ? t('taken') : f(failure))
    } finally {
      setBusy(false)
      onDone()
    }
  }
  return (
    <Dialog
      open={subscriber !== null}
      onClose={onClose}
      title={t('correctTitle')}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" form={form} disabled={busy}>
            {t('correctConfirm')}
          </Button>
        </>
      }
    >
      <form id={form} className="grid gap-5" onSubmit={(event) => void handleSubmit(event)}>
        <p>{t('correctHint')}</p>
        <TextField
          label={t('email')}
          type="email"
          required
          maxLength={254}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextField
          label={t('reason')}
          hint={t('reasonHint')}
          required
          maxLength={200}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        {problem && (
          <p role="alert" className="font-bold text-err">
            {problem}
          </p>
        )}
      </form>
    </Dialog>
  )
}
