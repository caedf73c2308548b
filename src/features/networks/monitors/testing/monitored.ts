import { startTestApp } from '#src/app/testing/test-app.ts'
import type { Network } from '../../contract.ts'
import type { CreatedMonitor, Monitor } from '../contract.ts'
import { networkMonitors } from '../server/table.ts'
import { startPort } from './target.ts'

export const monitorsPath = '/api/networks/monitors'

/** A product with an administrator and, for each test, a network of two components. */
export async function startMonitored() {
  const product = await startTestApp()
  const staff = await product.signIn()
  const open: { stop: () => unknown }[] = []
  let network = 0

  const inputOf = (target: string, more: object = {}) => ({
    id_reseau: network,
    element: 'Téléphonie',
    kind: 'tcp',
    target,
    interval_s: 30,
    timeout_ms: 2_000,
    failures_before: 1,
    expect: {},
    then: 'propose',
    enabled: true,
    ...more,
  })

  return {
    product,
    staff,
    network: () => network,
    inputOf,
    async addNetwork() {
      const elements = ['Téléphonie', 'Fibre'].map((nom) => ({ nom, nom_en: `${nom} (en)`, statut: 'OK' }))
      const input = { nom: 'Québec', status: 'ONLINE', details: JSON.stringify(elements) }
      network = (await staff.post<Network>('/api/networks/reseau', input)).body.id_reseau
    },
    /** Stopped after the test. */
    use<One extends { stop: () => unknown }>(one: One) {
      open.push(one)
      return one
    },
    async listen(...lose: Parameters<typeof startPort>) {
      const port = await startPort(...lose)
      open.push({ stop: port.close })
      return port
    },
    async create(target: string, more: object = {}) {
      const answer = await staff.post<CreatedMonitor>(monitorsPath, inputOf(target, more))
      if (answer.status !== 201) throw new Error(`the monitor was refused: ${answer.text}`)
      return answer.body
    },
    checkNow: async ({ id_monitor: id }: Monitor) => (await staff.post<Monitor>(`${monitorsPath}/${id}/check`)).body,
    read: async ({ id_monitor: id }: Monitor) => (await staff.get<Monitor>(`${monitorsPath}/${id}`)).body,
    async clear() {
      for (const one of open.splice(0)) await one.stop()
      await product.db.delete(networkMonitors)
    },
  }
}

export type Monitored = Awaited<ReturnType<typeof startMonitored>>
