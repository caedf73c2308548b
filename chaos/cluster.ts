import type { StaffConnection } from './clients.ts'
import {
  becomeAvailable,
  openTechnician,
  openVisitor,
  pause,
  readConversation,
  returning,
  sendUntilAcknowledged,
  startConversation,
} from './clients.ts'
import type { Instances } from './instances.ts'
import { startInstances } from './instances.ts'
import type { Row } from './row.ts'

const conversations = 20
const betweenMs = 250
const enoughAfter = 200

const faults: [string, (instances: Instances) => Promise<unknown>][] = [
  ['one instance killed', ({ a }) => a.restart('SIGKILL')],
  [
    'rolling restart of all three',
    async ({ a, b, c }) => {
      for (const one of [a, b, c]) await one.restart('SIGTERM')
    },
  ],
  [
    'Redis restarted',
    async ({ redis }) => {
      await redis.stop()
      await redis.start()
    },
  ],
  [
    'PostgreSQL restarted',
    async ({ postgres }) => {
      await postgres.stop()
      await postgres.start()
    },
  ],
]

export const cluster: Row = {
  name: 'cluster',
  fault: `three instances behind a balancer, ${conversations} conversations: ${faults.map(([name]) => name).join(', ')}`,
  async run() {
    const instances = await startInstances()
    const { address } = instances.balancer
    const technician = returning(await openTechnician(address))
    await becomeAvailable(technician)
    const received = listen(technician)

    let acknowledged = 0
    let longest = 0
    const state = { isOver: false }
    const converse = async (number: number) => {
      const visitor = returning(openVisitor(address, number))
      const idChat = await startConversation(visitor, `Visitor ${number}`)
      const sentTexts: string[] = []
      while (!state.isOver) {
        const startedAt = performance.now()
        sentTexts.push(`${number}/${sentTexts.length}`)
        await sendUntilAcknowledged(visitor, idChat, sentTexts.at(-1) ?? '')
        longest = Math.max(longest, performance.now() - startedAt)
        acknowledged += 1
        await pause(betweenMs)
      }
      return { visitor, idChat, sentTexts }
    }
    const conversing = Promise.all(Array.from({ length: conversations }, (_, number) => converse(number)))
    const figures: Record<string, number> = {}
    for (const [name, strike] of faults) {
      await more(() => acknowledged)
      longest = 0
      await strike(instances)
      await more(() => acknowledged)
      figures[`${name}: longest wait for an acknowledgment (ms)`] = Math.round(longest)
    }
    state.isOver = true
    const conversed = await conversing

    let [absent, twice, outOfOrder] = [0, 0, 0]
    const stored: number[] = []
    for (const { visitor, idChat, sentTexts } of conversed) {
      const messages = await readConversation(visitor, idChat)
      const texts = messages.map(({ message }) => message)
      absent += sentTexts.filter((text) => !texts.includes(text)).length
      twice += texts.length - new Set(texts).size
      outOfOrder += messages.filter(({ seq, message }, index) => seq !== index + 1 || message !== sentTexts[index]).length
      stored.push(...messages.map((one) => one.id_message))
      visitor.close()
    }
    const missing = () => stored.filter((id) => !received.has(id)).length
    for (let tries = 0; tries < 50 && missing() > 0; tries += 1) await pause(100)
    figures['acknowledged'] = acknowledged
    figures['acknowledged but absent'] = absent
    figures['stored twice'] = twice
    figures['out of order'] = outOfOrder
    figures['never told to the console'] = missing()
    technician.close()
    await instances.stop()
    return { good: absent + twice + outOfOrder + missing() === 0, figures }
  },
}

/** Collects the messages a console receives, and those it loads after a reconnect. */
function listen(technician: StaffConnection) {
  const received = new Set<number>()
  const chats = new Map<number, number>()
  technician.on('staff:chat', ({ id }) => {
    if (!chats.has(id)) chats.set(id, 0)
  })
  technician.on('staff:new-message', (one) => {
    received.add(one.id_message)
  })
  technician.on('connect', async () => {
    for (const id of chats.keys()) {
      const response = await technician.emitWithAck('staff:open', { id, after_seq: 0 })
      if (response.ok) for (const one of response.messages) received.add(one.id_message)
    }
  })
  return received
}

async function more(count: () => number) {
  const wanted = count() + enoughAfter
  while (count() < wanted) await pause(20)
}
