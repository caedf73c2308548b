import { administrator, startProduct } from '../e2e/product.ts'
import { createTestClient } from '../src/app/testing/test-client.ts'
import type { Network, StaffIncident } from '../src/features/networks/contract.ts'
import { subscribers } from '../src/features/networks/server/subscriber-table.ts'
import { readConfig } from '../src/server/config.ts'
import { openDatabase } from '../src/server/database/database.ts'
import { pause } from './clients.ts'
import type { Row } from './row.ts'

/** More, by `CHAOS_READERS`, to see how the queue bears them. */
const readers = Number(process.env.CHAOS_READERS ?? 5_000)
const kills = 5
/** Mails that leave side by side: a kill can interrupt each of them after the mail server took it. */
const sideBySide = 4
const undoneAfterMs = 50_000
const timeoutMs = 60 * 60_000
const path = '/api/networks/incidents'

type Product = Awaited<ReturnType<typeof startProduct>>

export const outageMails: Row = {
  name: 'subscribers',
  fault: `an outage published to ${readers} subscribers, the product killed ${kills} times; another one undone after ${undoneAfterMs / 1_000} s`,
  async run() {
    const product = await startProduct()
    await product.end('SIGTERM')
    await addSubscribers(product.dataDir)
    await product.restart('SIGTERM')
    const { smtp } = product
    const element = await addNetwork(product)

    const undone = await declare(product, element)
    await pause(undoneAfterMs)
    const staff = await signIn(product)
    const { status } = await staff.post(`${path}/${undone}/undo`, {})
    await pause(30_000)
    const afterUndo = smtp.received.length

    const publishedAt = performance.now()
    await declare(product, element)
    const mailed = () => new Set(smtp.received.map(({ envelope }) => envelope.to[0])).size
    let firstAfter = 0
    for (let kill = 1; kill <= kills; kill += 1) {
      const due = (readers / (kills + 1)) * kill
      while (mailed() < due && performance.now() - publishedAt < timeoutMs) {
        await pause(20)
        if (firstAfter === 0 && mailed() > 0) firstAfter = performance.now() - publishedAt
      }
      await product.restart('SIGKILL')
    }
    while (mailed() < readers && performance.now() - publishedAt < timeoutMs) await pause(100)
    const lasted = performance.now() - publishedAt
    // A duplicate would be sent in the next rounds of the queue.
    await pause(20_000)
    const distinct = mailed()
    const messages = new Set(smtp.received.map(({ messageId }) => messageId)).size
    const doubles = smtp.received.length - distinct
    await product.stop()
    return {
      good: distinct === readers && messages === readers && doubles <= kills * sideBySide && afterUndo === 0 && status === 200,
      figures: {
        subscribers: readers,
        'times killed': kills,
        'addresses mailed': distinct,
        'mails with a Message-ID of their own': messages,
        'delivered again after a kill (same Message-ID)': doubles,
        'first mail after (s)': Math.round(firstAfter / 1_000),
        'all mailed after (s)': Math.round(lasted / 1_000),
        'mailed by the outage that was undone': afterUndo,
      },
    }
  },
}

async function addSubscribers(dataDir: string) {
  const opened = await openDatabase(readConfig({ DATA_DIR: dataDir }))
  const now = new Date()
  const rows = Array.from({ length: readers }, (_, number) => ({
    email: `reader${number}@example.com`,
    language: number % 4 === 0 ? ('en' as const) : ('fr' as const),
    topics: ['outages' as const],
    state: 'active' as const,
    consentText: 'Consent',
    consentAt: now,
    consentAddress: '192.0.2.1',
    confirmedAt: now,
    linkSentAt: now,
  }))
  for (let at = 0; at < readers; at += 500) await opened.db.insert(subscribers).values(rows.slice(at, at + 500))
  await opened.close()
}

async function signIn(product: Product) {
  const staff = await createTestClient(product.address()).arrive()
  await staff.post('/api/auth/login', administrator)
  return staff
}

async function addNetwork(product: Product) {
  const details = JSON.stringify([{ nom: 'Fibre', nom_en: 'Fiber', statut: 'OK' }])
  const staff = await signIn(product)
  const { body } = await staff.post<Network>('/api/networks/reseau', { nom: 'Réseau de l’épreuve', status: 'ONLINE', details })
  return { id_reseau: body.id_reseau, nom: 'Fibre' }
}

async function declare(product: Product, element: { id_reseau: number; nom: string }) {
  const staff = await signIn(product)
  const { status, body } = await staff.post<StaffIncident>(path, {
    title: 'Coupures brèves',
    title_en: 'Short drops',
    severity: 'WARNING',
    elements: [element],
    text: 'Des appels coupent chez certains clients.',
    text_en: 'Calls drop for some customers.',
    mails: true,
  })
  if (status !== 201) throw new Error(`the outage was not declared: ${status}`)
  return body.id_incident
}
