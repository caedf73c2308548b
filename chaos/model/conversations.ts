import { createStaffClient } from '../../src/features/chat/client/staff-client.ts'
import { createVisitorClient } from '../../src/features/chat/client/visitor-client.ts'
import { addressOf, pause } from '../clients.ts'
import type { Chat, Sent, Taken } from './journal.ts'
import { noStorage, openSockets } from './sockets.ts'
import type { Act, At } from './steps.ts'
import type { World } from './world.ts'

const retryMs = 500

type Step<Name extends Act['do']> = Extract<Act, { do: Name }>
type Visitor = { chat: Chat; client: ReturnType<typeof createVisitorClient>; at: At }
type Staff = Awaited<ReturnType<typeof openConsole>>

/** The visitors and technicians of a history, each with the product's client. */
export async function openConversations(world: World, isOver: () => boolean) {
  const visitors: Visitor[] = []
  const consoles = await Promise.all(world.lane.technicians.map((_, index) => openConsole(world, index)))
  let begun = 0
  let texts = 0
  const nextText = (who: string) => `${who} ${(texts += 1)}`

  /** Repeats what a person would, until it is done or can no longer be. */
  async function insist<Done>(attempt: () => Promise<Done | null>): Promise<Done | null> {
    while (!isOver()) {
      const done = await attempt()
      if (done !== null) return done
      await pause(retryMs)
    }
    return null
  }

  async function begin({ at, messages }: Step<'chat'>) {
    const number = (begun += 1)
    const name = `Visitor ${number}`
    const visitor = { at } as Visitor
    visitor.client = createVisitorClient({
      loadIo: () => openSockets(world, () => world.instances[visitor.at].address(), { 'x-forwarded-for': addressOf(number) }),
      storage: noStorage,
      hooks: {
        onLink: () => undefined,
        onOpened: () => true,
        onOpenFailed: () => undefined,
        onSendRefused: (id, { code }) => {
          if (code === 'closed') visitor.client.takeBack(id)
        },
      },
    })
    visitor.client.start()
    // One id for all attempts, as in the widget: an attempt without an answer may have begun the conversation.
    const who = { client_name: name, client_email: `visitor${number}@example.com`, client_business: '' }
    const input = { ...who, client_id: crypto.randomUUID() }
    const answer = await insist(() => visitor.client.request('chat:connect', input).catch(() => null))
    if (!answer) return
    const key = answer.id_chat
    const [row] = (await insist(() => world.query(`select id from chats where key = '${key}'`).catch(() => null))) ?? []
    if (!row) return void world.journal.noticed.push(`the conversation of ${name} was acknowledged and is not there`)
    visitor.chat = { id: Number(row.id), name, key, startedAt: Date.now(), sent: [], taken: [], races: [], isClosing: false }
    await visitor.client.open(key, { isNew: answer.is_new })
    world.journal.chats.push(visitor.chat)
    visitors.push(visitor)
    for (let message = 0; message < messages; message += 1) await write(visitor)
  }

  /** Until the client has the server's acknowledgement. */
  async function write({ chat, client }: Visitor) {
    const sent: Sent = {
      text: nextText(`Question of ${chat.name}:`),
      by: 'visitor',
      startedAt: Date.now(),
      endedAt: 0,
      isSure: false,
    }
    chat.sent.push(sent)
    client.send(chat.key, sent.text)
    await insist(async () => {
      const { messages, unsent } = client.conversation(chat.key)
      sent.isSure = messages.some(({ message }) => message === sent.text)
      // Taken back from a conversation that is closed.
      return sent.isSure || !unsent.some(({ message }) => message === sent.text) ? true : null
    })
    sent.endedAt = Date.now()
  }

  const choose = <One>(all: readonly One[], number: number) => all[number % Math.max(1, all.length)]

  async function claim({ chat: number, by, isRace }: Step<'claim'>) {
    const visitor = choose(visitors, number)
    const racers = isRace ? consoles : consoles.filter((_, index) => index === by % consoles.length)
    if (!visitor) return
    const startedAt = Date.now()
    const winners = await Promise.all(racers.map((one) => take(one, visitor.chat)))
    if (isRace) visitor.chat.races.push({ winners: winners.flatMap((id) => id ?? []), startedAt, endedAt: Date.now() })
  }

  /** Returns who has it, where it is this technician. */
  async function take(staff: Staff, chat: Chat) {
    const { id } = chat
    const taken: Taken = { by: staff.userId, startedAt: Date.now(), endedAt: 0, isSure: false }
    chat.taken.push(taken)
    const answer = await staff.client.request('staff:claim', { id }).catch(() => null)
    taken.isSure = answer !== null
    taken.endedAt = Date.now()
    return answer ? staff.userId : null
  }

  const ownerOf = (chat: Chat) => {
    const last = chat.taken.findLast(({ isSure }) => isSure)
    return consoles.find(({ userId }) => userId === last?.by)
  }

  async function answer({ chat: number }: Step<'answer'>) {
    const visitor = choose(visitors, number)
    const staff = visitor && ownerOf(visitor.chat)
    if (!staff) return
    const { chat } = visitor
    const { id } = chat
    const sent: Sent = { text: nextText('Answer'), by: staff.userId, startedAt: Date.now(), endedAt: 0, isSure: false }
    chat.sent.push(sent)
    await staff.client.open(id)
    staff.client.send(id, sent.text)
    await insist(async () => {
      const { messages, unsent } = staff.client.conversation(id)
      sent.isSure = messages.some(({ message }) => message === sent.text)
      return sent.isSure || !unsent.some(({ message }) => message === sent.text) ? true : null
    })
    sent.endedAt = Date.now()
  }

  async function handOver({ chat: number, to, isAccepted }: Step<'hand over'>) {
    const visitor = choose(visitors, number)
    const giver = visitor && ownerOf(visitor.chat)
    const receiver = choose(consoles, to)
    if (!giver || !receiver || receiver === giver) return
    const { chat } = visitor
    const { id } = chat
    const offered = await giver.client.request('staff:transfer', { id, id_user: receiver.userId, note: '' }).catch(() => null)
    if (!offered) return
    if (!isAccepted) return void (await receiver.client.request('staff:decline', { id }).catch(() => null))
    const taken: Taken = { by: receiver.userId, startedAt: Date.now(), endedAt: 0, isSure: false }
    chat.taken.push(taken)
    taken.isSure = (await receiver.client.request('staff:accept', { id }).catch(() => null)) !== null
    taken.endedAt = Date.now()
  }

  async function close({ chat: number }: Step<'close'>) {
    const visitor = choose(visitors, number)
    const staff = visitor && ownerOf(visitor.chat)
    if (!staff) return
    visitor.chat.isClosing = true
    await staff.client.close(visitor.chat.id).catch(() => null)
  }

  return {
    begin,
    async write({ chat }: Step<'message'>) {
      const visitor = choose(visitors, chat)
      if (visitor) await write(visitor)
    },
    async move({ chat }: Step<'move'>) {
      const visitor = choose(visitors, chat)
      if (!visitor) return
      visitor.at = visitor.at === 0 ? 1 : 0
      visitor.client.start()
    },
    claim,
    answer,
    handOver,
    close,
    /** A frame that the network lost is missed by nobody until the next one: every client connects anew. */
    reconnect() {
      for (const { client } of [...visitors, ...consoles]) client.start()
    },
    /** What each side shows of each conversation. */
    show() {
      const shown = visitors.flatMap(({ chat, client }) => {
        const own = client.conversation(chat.key)
        const others = consoles.flatMap((staff) => {
          const conversation = staff.client.conversation(chat.id)
          return conversation.isLoaded ? [{ side: staff.username, ...conversation }] : []
        })
        return [{ side: 'visitor', ...own }, ...others].map(({ side, messages, unsent }) => ({
          id: chat.id,
          name: chat.name,
          side,
          messages: messages.map(({ seq, message }) => ({ seq, text: message })),
          unsent: unsent.length,
        }))
      })
      world.journal.shown = shown
    },
    areConnected: () => [...visitors, ...consoles].every(({ client }) => client.isUp()),
    stop() {
      for (const { client } of [...visitors, ...consoles]) client.stop()
    },
  }
}

/** The console of a technician: odd ones at the second instance. */
async function openConsole(world: World, index: number) {
  const technician = world.lane.technicians[index]
  if (!technician) throw new Error('there is no such technician')
  const at: At = index % 2 === 0 ? 0 : 1
  const cookie = [...technician.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { 'x-forwarded-for': addressOf(60_000 + index), cookie }
  const client = createStaffClient(technician.id, {
    loadIo: () => openSockets(world, () => world.instances[at].address(), headers),
    storage: noStorage,
    hooks: {
      onLink: (link) => {
        if (link === 'up') void arrive()
      },
      onOpened: () => true,
      onOpenFailed: () => undefined,
      // Somebody else has it, or it is closed: the console offers other ways.
      onSendRefused: (id, { code }) => {
        if (code !== 'limited' && code !== 'broken') client.takeBack(id)
      },
    },
  })
  client.on('staff:unanswered', ({ id }) => {
    const times = world.journal.alerts.get(id) ?? []
    world.journal.alerts.set(id, [...times, Date.now()])
  })

  /** As the console does at each connection. */
  async function arrive() {
    while (client.isUp()) {
      const list = await client.request('staff:chats', { scope: 'open' }).catch(() => null)
      const available = list && (await client.request('staff:availability', { available: true }).catch(() => null))
      if (available) return
      await pause(retryMs)
    }
  }

  client.start()
  while (!client.isUp()) await pause(20)
  return { userId: technician.id, username: technician.username, client }
}
