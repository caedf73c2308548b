/** Values of the contract that pages need without its schemas, which would weigh on the first load. */
export const networkStates = ['ONLINE', 'OFFLINE', ''] as const
export const detailStatuses = ['OK', 'WARNING', 'ERROR'] as const
export type NetworkStatus = (typeof detailStatuses)[number]
export const incidentPhases = ['investigating', 'identified', 'monitoring', 'resolved'] as const
export type IncidentPhase = (typeof incidentPhases)[number]

/** For this long a publication can be undone, and no mail leaves. */
export const undoMs = 60_000
/** What a subscription can be about. */
export const topics = ['outages', 'maintenance', 'news'] as const
/** Topics that are checked in the form of the status page; news are for who asks for them. */
export const usualTopics = ['outages', 'maintenance'] as const
/** Local storage key of the view of the status page. */
export const networkViewKey = 'network_view'
/** Days of the ribbon on a phone. */
export const phoneDays = 30
/** Days of the ribbon. */
export const ribbonDays = 90

/** What pages other than the status page show: the one light, and a line of HTML where something is wrong. */
export type NetworkSummary = { status: NetworkStatus; strip: { fr: string; en: string } }

type Detail = { nom: string; nom_en: string; statut: NetworkStatus }
type Described = { status: string; details: string }

/** Details as they travel: a JSON list; the server has checked its shape. */
export function readDetails(details: string) {
  return JSON.parse(details) as Detail[]
}

/** The name of a component in the history and in incidents. */
export const elementName = ({ nom, nom_en }: Pick<Detail, 'nom' | 'nom_en'>) => nom.trim() || nom_en.trim()

/** The one light for several networks: the worst of them and of their details (docs/api.md#networks). */
export function worstStatus(networks: readonly Described[]): NetworkStatus {
  const statuses = new Set(networks.flatMap((network) => readDetails(network.details).map((detail) => detail.statut)))
  if (networks.some((network) => network.status === 'OFFLINE') || statuses.has('ERROR')) return 'ERROR'
  return statuses.has('WARNING') ? 'WARNING' : 'OK'
}

/**
 * The status of each component by its name, of two with one name the worse. A network that is offline takes its components
 * down; the network itself, under the empty name, is there when its own status is known.
 */
export function statusesOf({ status, details }: { status: string; details: readonly Detail[] }) {
  const isOffline = status === 'OFFLINE'
  const found = new Map<string, NetworkStatus>()
  if (status) found.set('', isOffline ? 'ERROR' : 'OK')
  for (const detail of details) {
    const name = elementName(detail)
    if (name) found.set(name, isOffline ? 'ERROR' : worseOf(found.get(name), detail.statut))
  }
  return found
}

export function worseOf(one: NetworkStatus | undefined, other: NetworkStatus) {
  return one && detailStatuses.indexOf(one) > detailStatuses.indexOf(other) ? one : other
}

/** True where the page of an outage is a page in English: its title and every update. */
export const isInEnglish = ({ title_en, updates }: { title_en: string; updates: readonly { text: string; text_en: string }[] }) =>
  title_en.trim() !== '' && updates.every(({ text, text_en }) => text.trim() === '' || text_en.trim() !== '')
