import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { Network } from './contract.ts'
import { mailings, subscribers } from './server/subscriber-table.ts'
import { confirm, subscribe, tokenOf } from './server/subscriptions.ts'
import { elementChanges, networkIncidents } from './server/table.ts'
import type { SubscriptionInput } from './subscription.ts'

export const subscriptionOf = (email: string, more: Partial<SubscriptionInput> = {}): SubscriptionInput => ({
  email,
  language: 'fr',
  networks: null,
  topics: ['outages', 'maintenance'],
  ...more,
})

type Product = TestApp & { staff: Awaited<ReturnType<TestApp['signIn']>>; network: number; other: number }

/** A product with two networks for the tests of a file; each test begins without subscribers, outages and mails. */
export function startWithSubscribers() {
  const product = {} as Product & ReturnType<typeof subscribersOf>
  beforeAll(async () => {
    const started = await startTestApp()
    const staff = await started.signIn()
    const create = async (nom: string) => {
      const details = JSON.stringify([{ nom: 'Téléphonie', nom_en: 'Telephony', statut: 'OK' }])
      return (await staff.post<Network>('/api/networks/reseau', { nom, status: 'ONLINE', details })).body.id_reseau
    }
    const [network, other] = [await create('Québec'), await create('Mauricie')]
    Object.assign(product, started, subscribersOf(started), { staff, network, other })
  })
  afterAll(() => product.stop())
  beforeEach(() => product.clear())
  return product
}

/** Subscribers of a product, and what was mailed to them. */
function subscribersOf({ app, db }: Pick<TestApp, 'app' | 'db'>) {
  const findRow = async (email: string) => {
    const [row] = await db.select().from(subscribers).where(eq(subscribers.email, email))
    if (!row) throw new Error(`${email} is not there`)
    return row
  }
  const tokenFor = async (email: string) => tokenOf(db, await findRow(email))
  return {
    findRow,
    tokenFor,
    mailsTo: (email: string) => db.select().from(mails).where(eq(mails.recipient, email)).orderBy(asc(mails.id)),
    /** Subscribes and confirms, without the mail of it. */
    async join(email: string, more: Partial<SubscriptionInput> = {}) {
      await subscribe(app, subscriptionOf(email, more), '192.0.2.1')
      await confirm(db, await tokenFor(email))
      await db.delete(mails).where(eq(mails.recipient, email))
    },
    async clear() {
      for (const table of [networkIncidents, mailings, subscribers, mails, elementChanges]) await db.delete(table)
    },
  }
}
