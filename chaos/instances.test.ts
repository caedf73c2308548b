import { io } from 'socket.io-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { administrator } from '../e2e/product.ts'
import type { ChatMessage, StaffChat, StaffMessage } from '../src/features/chat/protocol.ts'
import { followStream } from '../src/server/testing/follow-stream.ts'
import {
  answerUntilAcknowledged,
  becomeAvailable,
  connected,
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
import { addTechnicians, converse, signIn, timeOf } from './actions.ts'

let instances: Instances
const open: { close: () => void }[] = []
beforeAll(async () => {
  instances = await startInstances('chaos/instance.ts')
})
afterAll(async () => {
  for (const one of open) one.close()
  await instances.stop()
})

const at = (one: 'a' | 'b' | 'c') => instances[one].address()
const within = { timeout: 15_000, interval: 50 }
let visitors = 0

function visitorAt(origin: string) {
  const visitor = returning(openVisitor(origin, (visitors += 1)))
  open.push(visitor)
  return visitor
}
async function technicianAt(origin: string, credentials = administrator) {
  const technician = returning(await openTechnician(origin, credentials, 1_000))
  open.push(technician)
  return technician
}

test('a visitor and a technician on two instances exchange messages and see each other’s presence', async () => {
  const technician = await technicianAt(at('b'))
  await becomeAvailable(technician)
  const visitor = visitorAt(at('a'))
  await expect
    .poll(async () => (await fetch(`${at('c')}/public_api/chat/available-users`)).json(), within)
    .toMatchObject({ user_count: 1 })
  const { key, id } = await converse(visitor, technician, 'Annie')
  const notified = new Promise<StaffMessage>((resolve) => technician.once('staff:new-message', resolve))
  await sendUntilAcknowledged(visitor, key, 'Bonjour')
  expect(await notified).toMatchObject({ id, message: 'Bonjour', seq: 1 })
  const messages = new Promise<ChatMessage>((resolve) => visitor.once('chat:new-message', resolve))
  await technician.emitWithAck('staff:send-message', { id, message: 'Bonjour, Annie', client_message_id: crypto.randomUUID() })
  expect(await messages).toMatchObject({ message: 'Bonjour, Annie', seq: 2 })
  const left = new Promise<void>((resolve) => {
    technician.on('staff:chat', (chat: StaffChat) => chat.id === id && !chat.visitor_online && resolve())
  })
  visitor.close()
  await left
  technician.close()
  await expect
    .poll(async () => (await fetch(`${at('c')}/public_api/chat/available-users`)).json(), within)
    .toMatchObject({ user_count: 0 })
})

test('assigns a chat to one of three technicians who claim it at once on three instances', async () => {
  const people = await addTechnicians(at('a'), 3)
  const consoles = await Promise.all((['a', 'b', 'c'] as const).map((one, index) => technicianAt(at(one), people[index])))
  for (const one of consoles) await becomeAvailable(one)
  for (let round = 0; round < 5; round += 1) {
    const name = `Course ${round}`
    const startedAt = new Promise<number>((resolve) => {
      consoles[2]?.on('staff:chat', (chat: StaffChat) => chat.client_name === name && resolve(chat.id))
    })
    await startConversation(visitorAt(at('a')), name)
    const id = await startedAt
    const answers = await Promise.all(consoles.map((one) => one.emitWithAck('staff:claim', { id })))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
  }
  for (const one of consoles) one.close()
})

test('a change of the network’s status on one instance reaches a page of another within a second', async () => {
  const { client } = await signIn(at('a'), '198.51.100.1')
  const [network] = (
    await client.get<{ id_reseau: number; nom: string; status: string; details: string; version: number }[]>(
      '/api/networks/reseau',
    )
  ).body
  const live = await followStream(`${at('c')}/api/live`)
  open.push(live)
  const { id_reseau: id, version = 0, ...rest } = network ?? { id_reseau: 0 }
  const notified = async () => {
    const { status } = await client.put(`/api/networks/reseau/${id}`, { ...rest, status: 'OFFLINE', version })
    expect(status).toBe(200)
    await live.next('"area":"networks"')
  }
  expect(await timeOf(notified())).toBeLessThan(1_000)
  const states = await fetch(`${at('b')}/api/networks/reseau/status`)
  expect(await states.json()).toBe('ERROR')
})

test('wrong passwords count together on all instances', async () => {
  const address = '198.51.100.7'
  const answers: number[] = []
  for (const one of ['a', 'b', 'c', 'a', 'b', 'c'] as const)
    answers.push((await signIn(at(one), address, 'Mauvais-Mot-2026!')).status)
  expect(answers).toEqual([401, 401, 401, 401, 401, 429])
})

test('closes the socket of an ended session on another instance within a second', async () => {
  const { client } = await signIn(at('a'), '198.51.100.2')
  const socket = io(`${at('b')}/staff`, {
    transports: ['websocket'],
    forceNew: true,
    extraHeaders: { cookie: client.cookieHeader() },
  })
  open.push(socket)
  await connected(socket)
  const closed = new Promise((resolve) => socket.once('disconnect', resolve))
  const logOff = async () => expect((await client.post('/api/auth/logoff')).status).toBe(204)
  expect(await timeOf(Promise.all([logOff(), closed]))).toBeLessThan(1_000)
})

test('an instance works alone while Redis is down, and rejects nobody', async () => {
  const technician = await technicianAt(at('c'))
  await becomeAvailable(technician)
  const visitor = visitorAt(at('c'))
  const { key, id } = await converse(visitor, technician, 'Isolée')
  await instances.redis.stop()
  const notified = new Promise<StaffMessage>((resolve) => technician.once('staff:new-message', resolve))
  await sendUntilAcknowledged(visitor, key, 'Toujours là ?')
  expect(await notified).toMatchObject({ id, message: 'Toujours là ?' })
  expect((await signIn(at('a'), '198.51.100.9')).status).toBe(200)
  expect(await (await fetch(`${at('b')}/readyz`)).text()).toBe('OK')
  await instances.redis.start()
  await expect
    .poll(async () => (await fetch(`${at('b')}/public_api/chat/available-users`)).json(), within)
    .toMatchObject({ user_count: 1 })
  visitor.close()
  technician.close()
})

test.each([
  ['an instance is killed', async () => void (await instances.a.end('SIGKILL'))],
  ['an instance is restarted', () => instances.a.restart('SIGTERM')],
  [
    'Redis is restarted',
    async () => {
      await instances.redis.stop()
      await instances.redis.start()
    },
  ],
  [
    'PostgreSQL is restarted',
    async () => {
      await instances.postgres.stop()
      await instances.postgres.start()
    },
  ],
])('%s during a conversation: no message is lost or duplicated', async (_fault, causeFault) => {
  // They reconnect to any instance.
  const { balancer } = instances
  const technician = await technicianAt(balancer.address)
  balancer.beginAt(0)
  const visitor = visitorAt(balancer.address)
  await becomeAvailable(technician)
  const { key, id } = await converse(visitor, technician, `Panne ${crypto.randomUUID()}`)
  const received = { visitor: new Map<number, string>(), technician: new Map<number, string>() }
  visitor.on('chat:new-message', (one) => received.visitor.set(one.seq, one.message))
  technician.on('staff:new-message', (one) => one.id === id && received.technician.set(one.seq, one.message))
  // As the widget and the console do on a reconnect.
  visitor.on('connect', async () => {
    for (const one of await readConversation(visitor, key)) received.visitor.set(one.seq, one.message)
  })
  technician.on('connect', async () => {
    for (;;) {
      await connected(technician)
      const answer = await technician
        .timeout(5_000)
        .emitWithAck('staff:open', { id, after_seq: 0 })
        .catch(() => null)
      for (const one of answer?.ok ? answer.messages : []) received.technician.set(one.seq, one.message)
      if (answer?.ok || isOver) return
      await pause(200)
    }
  })
  let isOver = false
  const fault = { done: false }
  const sentTexts: string[] = []
  const exchange = async () => {
    for (let index = 0; !fault.done || index < 20; index += 1) {
      const [question, answer] = [`question ${index}`, `réponse ${index}`]
      const { seq } = await sendUntilAcknowledged(visitor, key, question)
      received.visitor.set(seq, question)
      received.technician.set(await answerUntilAcknowledged(technician, id, answer), answer)
      sentTexts.push(question, answer)
    }
  }
  const exchanging = exchange()
  await expect.poll(() => sentTexts.length, within).toBeGreaterThan(6)
  await causeFault()
  fault.done = true
  await exchanging
  const stored = await readConversation(visitor, key)
  expect(stored.map((one) => one.message)).toEqual(sentTexts)
  expect(stored.map((one) => one.seq)).toEqual(sentTexts.map((_, index) => index + 1))
  for (const [side, messages] of Object.entries(received)) {
    await expect.poll(() => stored.filter(({ seq }) => !messages.has(seq)).length, { ...within, message: side }).toBe(0)
  }
  isOver = true
  visitor.close()
  technician.close()
})

test('an answer, and the end after it, reach another instance from one that died before it sent them on', async () => {
  const technician = await technicianAt(at('b'))
  await becomeAvailable(technician)
  const visitor = visitorAt(at('c'))
  const watching = await technicianAt(at('c'))
  const received: string[] = []
  const ends: unknown[] = []
  const statuses: string[] = []
  visitor.on('chat:new-message', ({ message }) => received.push(message))
  visitor.on('chat:closed', (end) => ends.push(end))
  const { key, id } = await converse(visitor, technician, `Réponse ${crypto.randomUUID()}`)
  watching.on('staff:chat', (chat: StaffChat) => chat.id === id && statuses.push(chat.status))
  await instances.redis.stop()
  const input = { id, message: 'Je regarde votre ligne.', client_message_id: crypto.randomUUID() }
  expect(await technician.emitWithAck('staff:send-message', input)).toMatchObject({ ok: true })
  expect(await technician.emitWithAck('staff:close', { id })).toMatchObject({ ok: true })
  await instances.b.end('SIGKILL')
  technician.close()
  await instances.redis.start()
  await expect.poll(() => received, { timeout: 45_000 }).toEqual(['Je regarde votre ligne.'])
  await expect.poll(() => ends, within).toEqual([{ id_chat: key, transcript: true }])
  await expect.poll(() => statuses.at(-1), within).toBe('closed')
  visitor.close()
  watching.close()
})
