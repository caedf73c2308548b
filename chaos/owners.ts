import { startProduct } from '../e2e/product.ts'
import type { StaffChat } from '../src/features/chat/protocol.ts'
import { addTechnicians, converse } from './actions.ts'
import type { StaffConnection } from './clients.ts'
import {
  becomeAvailable,
  openTechnician,
  openVisitor,
  pause,
  sendUntilAcknowledged,
  startConversation,
  trusting,
} from './clients.ts'
import type { Result, Row } from './row.ts'

const limits = { laptop: 180_000, silence: 190_000, marked: 10_000, queue: 130_000 }

export const owners: Row = {
  name: 'owners',
  fault:
    'a laptop closes with an unanswered message, a technician says nothing for three minutes, a waiting visitor leaves, the network of another one dies',
  async run(): Promise<Result> {
    const product = await startProduct({ ...trusting })
    const origin = product.address()
    const [asleep, silent, colleague] = await Promise.all(
      (await addTechnicians(origin, 3)).map(async (credentials, index) => {
        const technician = await openTechnician(origin, credentials, index + 1)
        await becomeAvailable(technician)
        return technician
      }),
    )
    if (!asleep || !silent || !colleague) throw new Error('no technicians')

    const laptop = await claimed(asleep, 'Laptop', origin, 1)
    const silence = await claimed(silent, 'Silence', origin, 2)
    const leaver = openVisitor(origin, 3, { reconnection: false })
    const waiting = nextChat(colleague, ({ client_name }) => client_name === 'Leaver')
    await startConversation(leaver, 'Leaver')
    const { id: left } = (await waiting).chat
    let alerts = 0
    colleague.on('staff:unanswered', ({ id }) => (alerts += id === left ? 1 : 0))

    const cutOff = openVisitor(origin, 4, { reconnection: false })
    await startConversation(cutOff, 'Cut off')

    const isBack = (id: number) => (chat: StaffChat) => chat.id === id && chat.status === 'waiting' && chat.released !== null
    const measured = Promise.all([
      nextChat(colleague, isBack(laptop.id)),
      nextChat(colleague, isBack(silence.id)),
      nextChat(colleague, ({ id, visitor }) => id === left && visitor === 'gone'),
      nextChat(colleague, ({ id, status }) => id === left && status === 'away'),
    ])
    freeze(asleep)
    leaver.close()
    const dies = nextChat(colleague, ({ client_name, visitor }) => client_name === 'Cut off' && visitor === 'gone')
    freeze(cutOff)
    const timeout = pause(limits.silence + 30_000).then(() => null)
    const found = await Promise.race([measured, timeout])
    const dead = await Promise.race([dies, timeout])
    for (const one of [asleep, silent, colleague, laptop.visitor, silence.visitor, cutOff]) one.close()
    await product.stop()
    if (!found || !dead) return { good: false, figures: { 'waited in vain (ms)': limits.silence + 30_000 } }
    const [fromLaptop, fromSilence, marked, away] = found
    return {
      good:
        fromLaptop.ms <= limits.laptop &&
        fromSilence.ms <= limits.silence &&
        marked.ms <= limits.marked &&
        dead.ms <= limits.marked &&
        away.ms <= limits.queue &&
        alerts === 0,
      figures: {
        'laptop closed: back in the queue, a colleague alerted (s)': seconds(fromLaptop.ms),
        'its reason': String(fromLaptop.chat.released?.reason),
        'no answer: back in the queue (s)': seconds(fromSilence.ms),
        'visitor left: marked (ms)': Math.round(marked.ms),
        'network of a visitor died: marked (ms)': Math.round(dead.ms),
        'visitor left: out of the queue (s)': seconds(away.ms),
        'alerts for the visitor who left': alerts,
      },
    }
  },
}

async function claimed(technician: StaffConnection, name: string, origin: string, number: number) {
  const visitor = openVisitor(origin, number)
  const { key, id } = await converse(visitor, technician, name)
  await sendUntilAcknowledged(visitor, key, 'Êtes-vous là?')
  return { id, visitor }
}

/** Milliseconds until a console hears of such a chat. */
function nextChat(technician: StaffConnection, isIt: (chat: StaffChat) => boolean) {
  const startedAt = performance.now()
  return new Promise<{ chat: StaffChat; ms: number }>((resolve) => {
    technician.on('staff:chat', (chat) => isIt(chat) && resolve({ chat, ms: performance.now() - startedAt }))
  })
}

/** Stops reading and responding while its connection stays open, like a sleeping laptop. */
function freeze({ io: manager }: Pick<StaffConnection, 'io'>) {
  manager.reconnection(false)
  const { ws } = manager.engine.transport as unknown as { ws: { pause: () => void } }
  ws.pause()
}

const seconds = (ms: number) => Math.round(ms / 100) / 10
