import { pause } from '../clients.ts'
import type { StaffIncident } from '../../src/features/networks/contract.ts'
import type { Act, At } from './steps.ts'
import { other } from './steps.ts'
import type { World } from './world.ts'

const retryMs = 500
const timeoutMs = 8_000

type Step<Name extends Act['do']> = Extract<Act, { do: Name }>

/** Monitoring systems that send signals, and technicians who publish outages. */
export function createOutages(world: World, isOver: () => boolean) {
  const { journal, lane } = world
  /** A system sends its signals one after the other. */
  const queues = new Map<number, Promise<void>>()

  function signal({ monitor: number, state, at }: Step<'signal'>) {
    const monitor = lane.monitors[number % lane.monitors.length]
    if (!monitor) return undefined
    const send = async () => {
      const sent = { monitor: monitor.id, state, at: Date.now(), isSure: false }
      journal.signals.push(sent)
      for (let turn: At = at; !isOver() && !sent.isSure; turn = other(turn)) {
        const options = { signal: AbortSignal.timeout(timeoutMs) }
        const answer = await world
          .client(turn)
          .post(`/api/networks/signals/${monitor.token}`, { state }, options)
          .catch(() => null)
        sent.isSure = answer?.status === 204
        if (!sent.isSure) await pause(retryMs)
      }
    }
    const queue = (queues.get(monitor.id) ?? Promise.resolve()).then(send)
    queues.set(monitor.id, queue)
    return queue
  }

  async function declare({ at, updates }: Step<'incident'>) {
    const number = journal.incidents.length
    const incident = {
      title: `Outage ${number}`,
      updates: [] as { text: string; isSure: boolean; at: number }[],
      at: Date.now(),
      isSure: false,
    }
    journal.incidents.push(incident)
    const technician = number % lane.technicians.length
    const textOf = (update: number) => `Step ${number}-${update}.`
    const first = { text: textOf(0), isSure: false, at: Date.now() }
    incident.updates.push(first)
    const input = {
      ...{ title: incident.title, title_en: incident.title, severity: 'WARNING', elements: [lane.component] },
      ...{ text: first.text, text_en: first.text, mails: true, client_id: crypto.randomUUID() },
    }
    let id: number | null = null
    for (let turn: At = at; !isOver() && id === null; turn = other(turn)) {
      const options = { signal: AbortSignal.timeout(timeoutMs) }
      const answer = await world
        .client(turn, technician)
        .post<StaffIncident>('/api/networks/incidents', input, options)
        .catch(() => null)
      if (answer?.status === 201) id = answer.body.id_incident
      else await pause(retryMs)
    }
    if (id === null) return
    incident.isSure = true
    first.isSure = true
    for (let update = 1; update <= updates; update += 1) {
      const made = { text: textOf(update), isSure: false, at: Date.now() }
      incident.updates.push(made)
      const body = { phase: 'identified', text: made.text, text_en: made.text, mails: true }
      // Nothing tells the server that a second one is the same: a technician looks whether it is there.
      const answer = await world
        .client(at, technician)
        .post(`/api/networks/incidents/${id}/updates`, body, { signal: AbortSignal.timeout(timeoutMs) })
        .catch(() => null)
      made.isSure = answer?.status === 201
    }
  }

  return { signal, declare }
}
