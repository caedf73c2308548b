import type { Journal } from './journal.ts'
import { realTimesOf } from './journal.ts'
import type { World } from './world.ts'

/** What the database has in the end, and what each instance shows. Times are in milliseconds. */
export type Stored = {
  requests: { id: number; reference: string; email: string; message: string }[]
  entries: { id: number; request_id: number; kind: string; text: string }[]
  chats: StoredChat[]
  messages: { chat_id: number; seq: number; message: string }[]
  events: { chat_id: number; kind: string; user_id: number | null; at: number }[]
  mails: { message_id: string; recipient: string; state: string; body: string; last_error: string | null }[]
  monitors: { id: number; state: string | null; incident_id: number | null }[]
  incidents: { id: number; title: string; resolved: boolean; source: string; elements: Component[] }[]
  updates: { incident_id: number; text: string }[]
  changes: { network_id: number; element: string; to_status: string | null }[]
  /** Of the public page, at each instance. */
  pages: { network: number; element: string; status: string }[][]
}
type Component = { id_reseau: number; nom: string }
export type StoredChat = {
  id: number
  name: string
  status: string
  is_here: boolean
  released_reason: string | null
  waiting_since: number
  last_seq: number
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

export async function readStored({ query, client }: Pick<World, 'query' | 'client'>): Promise<Stored> {
  const rows = async <Row>(text: string) => (await query(text)) as Row[]
  const readChanges = () =>
    rows<Stored['changes'][number]>('select network_id, element, to_status from network_element_changes order by id')
  const readPages = () =>
    Promise.all(
      ([0, 1] as const).map(async (at) => {
        const { body } = await client(at).get<{ id_reseau: number; details: string }[]>('/api/networks/reseau')
        return body.flatMap(({ id_reseau, details }) =>
          (JSON.parse(details) as { nom: string; statut: string }[]).map(({ nom, statut }) => ({
            network: id_reseau,
            element: nom,
            status: statut,
          })),
        )
      }),
    )
  let changes = await readChanges()
  let pages = await readPages()
  // An outage whose monitors have been up for a while ends by itself, also between these two.
  for (let later = await readChanges(); later.length > changes.length; later = await readChanges()) {
    changes = later
    pages = await readPages()
  }
  return {
    requests: await rows('select id, reference, email, message from requests order by id'),
    entries: await rows('select id, request_id, kind, text from request_entries order by id'),
    chats: await rows(`select id, client_name as name, status, gone_at is null as is_here, released_reason,
      ${ms('waiting_since')} as waiting_since, last_seq from chats order by id`),
    messages: await rows('select chat_id, seq, message from chat_messages where not internal order by chat_id, seq, id'),
    events: await rows(`select chat_id, kind, user_id, ${ms('at')} as at from chat_events order by id`),
    mails: await rows(`select message_id, recipient, state, body, last_error from mails order by id`),
    monitors: await rows('select monitor_id as id, state, incident_id from network_monitor_status order by monitor_id'),
    incidents: await rows(`select id, title, resolved_at is not null as resolved, source, elements
      from network_incidents order by id`),
    updates: await rows('select incident_id, text from network_incident_updates order by id'),
    changes,
    pages,
  }
}

/** Each matter has an owner or an alarm within this time. */
export const alarmMs = 180_000

const unfinished = `
  select (select count(*) from mails where state = 'waiting') + (select count(*) from network_monitor_status where alert is not null)
    + (select count(*) from network_incident_updates where mails_at is not null and mailed_at is null) as left`

/** Whether nothing is under way any more. Mails and the notices of outages have their own times, which are real. */
export async function isSettled({ query, journal }: Pick<World, 'query' | 'journal'>, { isReal }: { isReal: boolean }) {
  const [inbox] = (await query(
    'select count(*)::int as taken, count(*) filter (where not is_filed)::int as unfiled from inbox_mails',
  )) as {
    taken: number
    unfiled: number
  }[]
  if (!inbox || inbox.unfiled > 0 || inbox.taken < journal.mails.length) return false
  const waiting = (await query(`select id, released_reason, ${ms('waiting_since')} as waiting_since
    from chats where status = 'waiting' and gone_at is null`)) as Waiting[]
  if (waiting.some((chat) => !(isReal && isDueLater(chat)) && !findAlarm(journal, chat, { isReal }))) return false
  if (!isReal) return true
  const [row] = (await query(unfinished)) as { left: string }[]
  return Number(row?.left) === 0
}

type Waiting = Pick<StoredChat, 'id' | 'released_reason' | 'waiting_since'>
type Pace = { isReal: boolean }

/** Of those for a conversation the first since it came into the queue. One that came back had an owner until then. */
export function findAlarm(journal: Journal, { id, released_reason: reason, waiting_since: since }: Waiting, { isReal }: Pace) {
  const times = journal.alerts.get(id) ?? []
  // It may have come back only after time was moved on.
  if (!isReal) return times[0] ?? (reason === null ? undefined : since)
  // By a clock that was ahead.
  if (since > Date.now()) return times.at(-1)
  const queuedAt = Math.min(...realTimesOf(journal, since))
  return times.find((at) => at >= queuedAt)
}

/** It came back to the queue a moment ago: whether its alarm comes in time is not known yet. */
export const isDueLater = ({ released_reason: reason, waiting_since: since }: Waiting) =>
  reason !== null && since <= Date.now() && Date.now() < since + alarmMs
