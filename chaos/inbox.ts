import { setTimeout as pause } from 'node:timers/promises'
import { administrator, startProduct } from '../e2e/product.ts'
import { createTestClient } from '../src/app/testing/test-client.ts'
import type { RequestDetail, RequestSummary } from '../src/features/requests/contract.ts'
import { startTestImap } from '../src/server/testing/test-imap.ts'
import type { Row } from './row.ts'

const firstMails = 100
const answers = 900
const kills = 10
const killStepMs = 250
const oldMails = 20_000
const watchedMs = 60_000
const timeoutMs = 15 * 60_000

type Imap = Awaited<ReturnType<typeof startTestImap>>
type Product = Awaited<ReturnType<typeof startProduct>>

export const inbox: Row = {
  name: 'inbox',
  fault: `${firstMails + answers} mails through an IMAP server, the product killed ${kills} times; two machines that answer each other; a first start on ${oldMails} mails`,
  async run() {
    const imap = await startTestImap()
    const product = await startProduct({ IMAP_URL: imap.url })
    const taken = await takeThrough(imap, product)
    const exchanges = await answerEachOther(imap, product)
    await product.stop()
    await imap.stop()
    const start = await startOnFullMailbox()
    return {
      good:
        taken.lost + taken.doubled === 0 &&
        taken.right >= 0.999 &&
        taken.killed === kills &&
        exchanges === 1 &&
        start.slowest < 1_000 &&
        start.taken > 0,
      figures: {
        mails: firstMails + answers,
        'times killed': taken.killed,
        lost: taken.lost,
        doubled: taken.doubled,
        'in the right request (%)': Math.round(taken.right * 10_000) / 100,
        'mails to a machine that answers by itself': exchanges,
        'first start: mails in the mailbox': oldMails,
        'taken in a minute': start.taken,
        'pages meanwhile, p50 (ms)': start.p50,
        'p99 (ms)': start.p99,
        'slowest (ms)': start.slowest,
      },
    }
  },
}

const textOf = (number: number) => `Courriel ${String(number).padStart(5, '0')}.`
const addressOf = (number: number) => `client${number}@client.example.com`

function compose(
  number: number,
  from: string,
  { subject = `Sujet ${number}`, headers = [] as string[], text = textOf(number) } = {},
) {
  const head = [
    `From: ${from}`,
    `Subject: ${subject}`,
    `Message-ID: <${number}@client.example.com>`,
    'Date: Fri, 20 Nov 2026 09:00:00 -0500',
  ]
  return [...head, ...headers, '', text, ''].join('\r\n')
}

/** Sends first mails and answers to them, kills the product meanwhile, and finds where each went. */
async function takeThrough(imap: Imap, product: Product) {
  const { smtp } = product
  imap.deliverAll(Array.from({ length: firstMails }, (_, number) => compose(number, addressOf(number))))
  const acknowledgement = (number: number) => smtp.received.find(({ envelope }) => envelope.to.includes(addressOf(number)))
  await until(() => Array.from({ length: firstMails }, (_, number) => number).every((number) => acknowledgement(number)))
  const wanted = new Map<number, string>()
  const referenceOf = (number: number) => /\[(\S+)\]/.exec(acknowledgement(number)?.subject ?? '')?.[1] ?? ''
  for (let number = 0; number < firstMails; number += 1) wanted.set(number, referenceOf(number))
  const all = Array.from({ length: answers }, (_, index) => {
    const [number, to] = [firstMails + index, index % firstMails]
    wanted.set(number, referenceOf(to))
    // Most answer in the thread; some mail programs leave the number in the subject alone.
    return index % 5 === 0
      ? compose(number, addressOf(to), { subject: `RE: [${referenceOf(to)}] Sujet` })
      : compose(number, addressOf(to), { headers: [`In-Reply-To: ${acknowledgement(to)?.messageId}`] })
  })
  let killed = 0
  const share = answers / kills
  for (let round = 0; round < kills; round += 1) {
    imap.deliverAll(all.slice(round * share, (round + 1) * share))
    // Each round dies at another point: fetching, storing, or moving them.
    await pause(100 + round * killStepMs)
    await product.restart('SIGKILL')
    killed += 1
  }
  await until(async () => (await imap.list('INBOX')).length === 0)
  const found = await readThreads(product)
  let [lost, doubled, right] = [0, 0, 0]
  for (const [number, reference] of wanted) {
    const places = found.get(textOf(number)) ?? []
    if (places.length === 0) lost += 1
    if (places.length > 1) doubled += 1
    if (places[0] === reference) right += 1
  }
  return { lost, doubled, right: right / wanted.size, killed }
}

/** The references of the requests in which each text stands. */
async function readThreads(product: Product) {
  const staff = await createTestClient(product.address()).arrive()
  await staff.post('/api/auth/login', administrator)
  const found = new Map<string, string[]>()
  for (let page = 1; ; page += 1) {
    const { body } = await staff.get<RequestSummary[]>(`/api/requests/requests?page=${page}&sort=created_at`)
    for (const { id_request: id } of body) {
      const { body: request } = await staff.get<RequestDetail>(`/api/requests/requests/${id}`)
      for (const { text, kind } of request.entries)
        if (kind === 'customer') found.set(text, [...(found.get(text) ?? []), request.reference])
    }
    if (body.length === 0) return found
  }
}

/** A machine that answers whatever it gets, and does not say that it is one; returns how many mails it got. */
async function answerEachOther(imap: Imap, { smtp }: Product) {
  const machine = 'machine@client.example.com'
  const received = () => smtp.received.filter(({ envelope }) => envelope.to.includes(machine))
  imap.deliverAll([compose(90_000, machine)])
  let answered = 0
  await until(() => received().length > 0)
  const endsAt = performance.now() + 20_000
  while (performance.now() < endsAt) {
    for (const mail of received().slice(answered)) {
      answered += 1
      imap.deliverAll([
        compose(90_000 + answered, machine, {
          subject: `Absence : ${mail.subject}`,
          headers: [`In-Reply-To: ${mail.messageId}`],
        }),
      ])
    }
    await pause(100)
  }
  return received().length
}

/** The pages of a product that reads a mailbox of years for the first time. */
async function startOnFullMailbox() {
  const imap = await startTestImap()
  const longAgo = new Date(Date.now() - 30 * 86_400_000)
  imap.deliverAll(
    Array.from({ length: oldMails }, (_, number) => compose(number, addressOf(number))),
    longAgo,
  )
  const product = await startProduct({ IMAP_URL: imap.url })
  // The first page of a process compiles its code, mailbox or not.
  await (await fetch(`${product.address()}/appel-de-service`)).text()
  const times: number[] = []
  const endsAt = performance.now() + watchedMs
  while (performance.now() < endsAt) {
    const startedAt = performance.now()
    const response = await fetch(`${product.address()}/appel-de-service?${times.length}`)
    await response.text()
    times.push(performance.now() - startedAt)
    await pause(50)
  }
  const taken = oldMails - (await imap.list('INBOX')).length
  await product.stop()
  await imap.stop()
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  return { taken, p50: at(0.5), p99: at(0.99), slowest: at(1) }
}

async function until(condition: () => boolean | Promise<boolean>) {
  const endsAt = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > endsAt) throw new Error('the mails were not taken in time')
    await pause(100)
  }
}
