import { Worker } from 'node:worker_threads'
import { chromium } from '@playwright/test'
import { chromiumPath } from '../e2e/chromium.ts'
import { startOtherSite } from '../e2e/other-site.ts'
import { startProduct } from '../e2e/product.ts'
import type { ChatSettings } from '../src/features/chat/contract.ts'
import { signIn } from './actions.ts'
import type { StaffConnection } from './clients.ts'
import { becomeAvailable, openTechnician, trusting } from './clients.ts'
import type { JoinFault, Order, Report } from './returning-visitor.ts'
import type { Row } from './row.ts'

const visitors = 20
const rounds = 2
const situations = ['no answer to the join', 'limited', 'nobody there', 'closing time'] as const
const framedReloads = 40
const joinFaults: Partial<Record<(typeof situations)[number], JoinFault>> = {
  'no answer to the join': 'lost',
  limited: 'limited',
}

export const conversationReturns: Row = {
  name: 'returns',
  fault: `${visitors * rounds * situations.length + framedReloads} reloads: no answer to the join, limited, nobody there, closing time (the chat's client in Node), and the next page of another site whose frame has no storage (Chromium)`,
  async run() {
    const product = await startProduct({ ...trusting })
    const origin = product.address()
    const counter = await openCounter(origin)
    const workers = Array.from({ length: visitors }, (_, number) => startVisitor(origin, number))
    const all = (order: Order) => Promise.all(workers.map(({ obey }) => obey(order)))
    const begun = await all({ order: 'begin' })
    const keys = begun.map(({ key }) => key)
    const lostNow = (reports: Report[]) =>
      reports.filter(({ key, ms }, index) => key === null || key !== keys[index] || Number.isNaN(ms)).length

    const figures: Record<string, number> = {}
    let lost = lostNow(begun)
    for (const situation of situations) {
      let slowest = 0
      for (let round = 0; round < rounds; round += 1) {
        await counter.begin(situation)
        const reloaded = await all({ order: 'reload', fault: joinFaults[situation] ?? null })
        // At closing time the technicians are still connected: the conversation goes on at once.
        if (situation !== 'closing time') await counter.end(situation)
        const returned = await all({ order: 'return' })
        if (situation === 'closing time') await counter.end(situation)
        lost += Math.max(lostNow(reloaded), lostNow(returned))
        slowest = Math.max(slowest, ...returned.map(({ ms }) => ms))
      }
      figures[`${situation}: longest until it is there again (ms)`] = slowest
    }
    await Promise.all(workers.map(({ stop }) => stop()))
    const framed = await reloadFramed(origin, counter)
    counter.close()
    await product.stop()
    const reloads = visitors * rounds * situations.length + framedReloads
    return {
      good: lost + framed.lost === 0,
      figures: {
        reloads,
        'conversations lost': lost + framed.lost,
        ...figures,
        'another site, no storage: longest until it is there again (ms)': framed.slowest,
      },
    }
  },
}

function startVisitor(origin: string, number: number) {
  const worker = new Worker(new URL('returning-visitor.ts', import.meta.url), { workerData: { origin, number } })
  return {
    obey: (order: Order) =>
      new Promise<Report>((resolve, reject) => {
        worker.removeAllListeners()
        worker.once('message', resolve)
        worker.once('error', reject)
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no other origin
        worker.postMessage(order)
      }),
    stop: () => worker.terminate(),
  }
}

/** One technician, who disconnects and reconnects, and the hours of the chat. */
async function openCounter(origin: string) {
  const { client } = await signIn(origin, '198.51.100.9')
  const path = '/api/chat/settings'
  const { body: settings } = await client.get<ChatSettings>(path)
  const save = async (change: Partial<ChatSettings>) => {
    const { body } = await client.get<ChatSettings>(path)
    const { status, text } = await client.put(path, { ...body, ...change })
    if (status !== 200) throw new Error(text)
  }
  let technician: StaffConnection | null = null
  const arrive = async () => {
    technician ??= await openTechnician(origin)
    await becomeAvailable(technician)
  }
  const leave = () => {
    technician?.close()
    technician = null
  }
  await arrive()
  return {
    async begin(situation: (typeof situations)[number]) {
      if (situation === 'nobody there') leave()
      if (situation !== 'closing time') return
      await save({ week: [] })
      await technician?.emitWithAck('staff:availability', { available: false })
    },
    async end(situation: (typeof situations)[number]) {
      if (situation === 'closing time') await save({ week: settings.week })
      await arrive()
    },
    allow: (site: string) => save({ embed_origins: [site] }),
    close: leave,
  }
}

/** Navigates on another site, whose embedded frame cannot store anything. */
async function reloadFramed(origin: string, counter: Awaited<ReturnType<typeof openCounter>>) {
  const site = await startOtherSite(origin, 'localhost')
  await counter.allow(site.origin)
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
  const page = await browser.newPage({ locale: 'fr-CA' })
  await page.addInitScript(() => {
    if (window === window.top) return
    const refuse = () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'BroadcastChannel'])
      Object.defineProperty(window, name, { get: refuse })
  })
  await page.goto(site.origin)
  await page.getByRole('button', { name: 'Clavarder' }).click()
  const chat = page.frameLocator('iframe')
  await chat.getByLabel('Courriel').fill('cloison@example.com')
  await chat.getByLabel('Nom', { exact: true }).fill('Flore Cloison')
  await chat.getByRole('button', { name: 'Commencer le clavardage' }).click()
  await chat.getByRole('textbox', { name: 'Écrire un message' }).fill('Je navigue')
  await chat.getByRole('button', { name: 'Envoyer' }).click()
  const message = chat.getByRole('log').getByText('Je navigue', { exact: true })
  await chat.getByRole('log').getByText('Envoyé').waitFor()
  let [lost, slowest] = [0, 0]
  for (let count = 0; count < framedReloads; count += 1) {
    const startedAt = performance.now()
    await page.goto(`${site.origin}/${count % 2 ? '' : 'suite'}`)
    // Half of the pages are left before the conversation is there again.
    if (count % 2) continue
    const isBack = await message.waitFor({ timeout: 30_000 }).then(
      () => true,
      () => false,
    )
    if (!isBack) lost += 1
    slowest = Math.max(slowest, Math.round(performance.now() - startedAt))
  }
  await browser.close()
  await site.stop()
  return { lost, slowest }
}
