import { EntryList } from '#src/features/content/web/entry-list.tsx'
import { callApi, getJson } from '#src/ui/api.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { StatusText } from '#src/ui/components/status-icon.tsx'
import type { Network } from '../contract.ts'
import { adminNetworkTexts } from '../admin-texts.ts'
import type { NetworkStatus } from '../values.ts'
import { readDetails, worstStatus } from '../values.ts'
import type { Route } from './+types/admin-networks-page.ts'

export { cacheRows as shouldRevalidate } from '#src/features/content/web/entry-list.tsx'

export async function clientLoader() {
  return { networks: await getJson<Network[]>('/api/networks/reseau?drafts=1') }
}

export default function AdminNetworksPage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(adminNetworkTexts)
  const nameOf = (network: Network) => network.nom || t('nameless')
  const stateOf = ({ status }: Network) => (status === 'ONLINE' ? t('onlineShown') : status ? t('offlineShown') : '')
  return (
    <EntryList
      area="networks"
      title={t('title')}
      backTo="/admin/panel"
      createPath="/admin/reseau_nouveau"
      editPath={(network) => `/admin/reseau_edit/${network.id_reseau}`}
      rows={loaderData.networks}
      rowKey={(network) => network.id_reseau}
      rowName={nameOf}
      remove={(network) => callApi('DELETE', `/api/networks/reseau/${network.id_reseau}`)}
      undo={(network) => callApi('POST', `/api/networks/reseau/${network.id_reseau}/undo`)}
      exported={[
        { header: t('name'), value: (network) => network.nom },
        { header: t('status'), value: stateOf },
        { header: t('isPublic'), value: (network) => t(network.publie && network.nom.trim() ? 'yes' : 'no') },
        { header: t('elements'), value: (network) => readDetails(network.details).length },
        { header: t('downElements'), value: (network) => namesOf(network, 'ERROR') },
        { header: t('degradedElements'), value: (network) => namesOf(network, 'WARNING') },
      ]}
      columns={[
        {
          header: t('name'),
          cell: (network) => (
            <span className="flex flex-wrap items-center gap-2">
              <span>{nameOf(network)}</span>
              {(!network.publie || !network.nom.trim()) && <Badge tone="warn">{t('draft')}</Badge>}
            </span>
          ),
          text: nameOf,
          sortKey: 'nom',
          isRowHeader: true,
        },
        {
          header: t('status'),
          cell: (network) => <NetworkState network={network} />,
          text: stateOf,
          sortKey: 'statut',
        },
      ]}
      emptyTitle={t('empty')}
      emptyHint={t('emptyHint')}
    />
  )
}

const namesOf = ({ details }: Network, wanted: NetworkStatus) =>
  readDetails(details)
    .filter(({ statut }) => statut === wanted)
    .map(({ nom }) => nom)
    .join(', ')

/** The state that was chosen, and how many components do not work: no green sign above one that is down. */
export function NetworkState({ network }: { network: Network }) {
  const t = useTexts(adminNetworkTexts)
  const { status, details } = network
  if (status === 'OFFLINE') return <StatusText status="ERROR" label={t('offlineShown')} />
  const worst = worstStatus([network])
  const count = readDetails(details).filter(({ statut }) => statut === worst).length
  const state = t(status === '' ? 'none' : 'onlineShown')
  if (worst !== 'OK')
    return <StatusText status={worst} label={`${state}, ${t(worst === 'ERROR' ? 'down' : 'degraded', { count })}`} />
  return status === '' ? <span className="text-ink-2">{state}</span> : <StatusText status="OK" label={state} />
}
