/** Values of the contract that pages need without its schemas, which would weigh on the first load. */
export const networkStates = ['ONLINE', 'OFFLINE', ''] as const
export const detailStatuses = ['OK', 'WARNING', 'ERROR'] as const
export type NetworkStatus = (typeof detailStatuses)[number]

type Described = { status: string; details: string }

/** Details as they travel: a JSON list; the server has checked its shape. */
export function readDetails(details: string) {
  return JSON.parse(details) as { nom: string; nom_en: string; statut: NetworkStatus }[]
}

/** The one light for several networks: the worst of them and of their details (docs/api.md#networks). */
export function worstStatus(networks: readonly Described[]): NetworkStatus {
  const statuses = new Set(networks.flatMap((network) => readDetails(network.details).map((detail) => detail.statut)))
  if (networks.some((network) => network.status === 'OFFLINE') || statuses.has('ERROR')) return 'ERROR'
  return statuses.has('WARNING') ? 'WARNING' : 'OK'
}
