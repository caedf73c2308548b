import { useState } from 'react'
import { useRevalidator, useSearchParams } from 'react-router'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { ClearFilter, FilterButton, FilterForm, SearchField, useFilter } from '#src/features/content/web/filter-form.tsx'
import { defineTexts } from '#src/lib/language/texts.ts'
import { locales } from '#src/lib/language/language.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { callApi, getJson, getPage } from '#src/ui/api.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { ConfirmDialog } from '#src/ui/components/dialog.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { Pagination } from '#src/ui/components/pagination.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { SelectField } from '#src/ui/forms/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { Network } from '../contract.ts'
import type { Subscriber, SubscriberCounts } from '../subscription.ts'
import type { Route } from './+types/admin-subscribers-page.ts'

const path = '/api/networks/subscribers'
const listPath = '/admin/reseau/abonnes'
const perPage = 50
const states = ['active', 'pending', 'paused', 'left'] as const
const tones = { active: 'ok', pending: 'neutral', paused: 'warn', left: 'neutral' } as const

const subscriberTexts = defineTexts({
  fr: {
    title: 'Abonnés à l’état du réseau',
    counts: 'Nombre d’abonnés',
    activeCount: 'Abonnés confirmés : {count}, dont {fr} en français et {en} en anglais',
    othersCount: 'À confirmer : {pending}. Suspendus : {paused}. Désabonnés : {left}.',
    search: 'Rechercher',
    searchHint: 'Partie d’une adresse',
    state: 'Statut',
    anyState: 'Tous',
    clear: 'Effacer les filtres',
    email: 'Courriel',
    choices: 'Choix',
    consent: 'Consentement',
    consentFrom: '{at}, adresse IP {address}',
    active: 'Confirmé',
    pending: 'À confirmer',
    paused: 'Suspendu',
    left: 'Désabonné',
    allNetworks: 'Tous les réseaux',
    removedNetwork: 'Réseau supprimé',
    outages: 'Pannes',
    maintenance: 'Entretiens',
    news: 'Nouvelles',
    fr: 'Français',
    en: 'Anglais',
    bounces: '{count} {count|courriel refusé|courriels refusés} : {reason}',
    actions: 'Actions',
    resume: 'Reprendre les envois',
    resumed: 'Les envois à {email} reprennent.',
    remove: 'Supprimer',
    removeOf: 'Supprimer {email}',
    removeTitle: 'Supprimer {email} et son consentement?',
    removed: 'L’abonné est supprimé.',
    empty: 'Aucun abonné pour le moment',
    emptyHint: 'Les visiteurs s’abonnent sur la page « État du réseau ».',
    noMatch: 'Aucun abonné ne correspond',
    noMatchHint: 'Effacez les filtres pour les voir tous.',
  },
  en: {
    title: 'Network status subscribers',
    counts: 'Number of subscribers',
    activeCount: 'Confirmed subscribers: {count}, of which {fr} in French and {en} in English',
    othersCount: 'To confirm: {pending}. Paused: {paused}. Unsubscribed: {left}.',
    search: 'Search',
    searchHint: 'Part of an address',
    state: 'Status',
    anyState: 'All',
    clear: 'Clear filters',
    email: 'Email',
    choices: 'Choices',
    consent: 'Consent',
    consentFrom: '{at}, IP address {address}',
    active: 'Confirmed',
    pending: 'To confirm',
    paused: 'Paused',
    left: 'Unsubscribed',
    allNetworks: 'All networks',
    removedNetwork: 'Deleted network',
    outages: 'Outages',
    maintenance: 'Maintenance',
    news: 'News',
    fr: 'French',
    en: 'English',
    bounces: '{count} {count|email refused|emails refused}: {reason}',
    actions: 'Actions',
    resume: 'Resume sending',
    resumed: 'Sending to {email} resumes.',
    remove: 'Delete',
    removeOf: 'Delete {email}',
    removeTitle: 'Delete {email} and the consent?',
    removed: 'The subscriber is deleted.',
    empty: 'No subscribers yet',
    emptyHint: 'Visitors subscribe on the network status page.',
    noMatch: 'No subscriber matches',
    noMatchHint: 'Clear the filters to see them all.',
  },
})

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
  const [query] = useSearchParams()
  const { valueOf, isFiltered } = useFilter(['state', 'search'])
  const numbers = new Intl.NumberFormat(locales[language])
  const asText = (count: number) => numbers.format(count)
  const { fr, en } = counts.active
  const nameOf = (id: number) => networks.find((one) => one.id_reseau === id)?.nom ?? t('removedNetwork')
  const toPage = (page: number) => {
    const next = new URLSearchParams(query)
    next.set('page', String(page))
    return `?${next}`
  }
  const resume = ({ id_subscriber: id, email }: Subscriber) =>
    run(() => callApi('POST', `${path}/${id}/resume`, {}).finally(revalidate), { done: t('resumed', { email }) })
  const remove = async ({ id_subscriber: id }: Subscriber) => {
    await run(() => callApi('DELETE', `${path}/${id}`), { done: t('removed') })
    setRemoving(null)
    await revalidate()
  }
  return (
    <>
      <AdminHead title={t('title')} backTo="/admin/reseau" />
      <section aria-label={t('counts')} className="mb-6 grid gap-1">
        <p className="text-lg font-bold">{t('activeCount', { count: asText(fr + en), fr: asText(fr), en: asText(en) })}</p>
        <p className="text-ink-2">
          {t('othersCount', { pending: asText(counts.pending), paused: asText(counts.paused), left: asText(counts.left) })}
        </p>
      </section>
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
                    <summary>{formatDateTime(at, language)}</summary>
                    <p className="text-sm">{text}</p>
                    <p className="text-sm">{t('consentFrom', { at: formatDateTime(at, language), address })}</p>
                  </details>
                ),
              },
            ]}
            actions={{
              header: t('actions'),
              cell: (row) => (
                <span className="flex flex-wrap justify-end gap-2">
                  {row.state === 'paused' && (
                    <Button size="small" variant="secondary" disabled={busy} onClick={() => void resume(row)}>
                      {t('resume')}
                    </Button>
                  )}
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
        confirmLabel={t('remove')}
        busy={busy}
        onCancel={() => setRemoving(null)}
        onConfirm={() => {
          if (removing) void remove(removing)
        }}
      />
      <Toast {...toast} />
    </>
  )
}
