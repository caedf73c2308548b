import { io } from 'socket.io-client'
import type { Socket } from 'socket.io-client'
import { startProduct } from '../e2e/product.ts'
import { createTestClient } from '../src/app/testing/test-client.ts'
import type { SharingTabs, StoredUnsent, UnsentStorage } from '../src/features/chat/client/outbox.ts'
import { ownChats } from '../src/features/chat/console/console-state.ts'
import type { StaffSession } from '../src/features/chat/console/staff-session.ts'
import { createStaffSession } from '../src/features/chat/console/staff-session.ts'
import { addTechnicians } from './actions.ts'
import type { VisitorConnection } from './clients.ts'
import { addressOf, openVisitor, pause, readConversation, sendUntilAcknowledged, startConversation, trusting } from './clients.ts'
import type { Result, Row } from './row.ts'

const technicianCount = 4
const visitorCount = 40
const durationMs = Number(process.env.CONSOLE_CHAOS_MS ?? 120_000)
/** A person acts every few seconds; here each acts every tenth of one. */
const stepMs = 100
const drainMs = 60_000

type Tab = { session: StaffSession; sockets: Socket[] }
type Written = { number: number; chat: number; text: string; isNote: boolean }

/** The client of the real console, in up to two tabs for each technician, over real sockets. */
export const consoleFaults: Row = {
  name: 'console',
  fault: `${technicianCount} technicians with two tabs, ${visitorCount} visitors, ${durationMs / 1_000} s of ended sessions, reloads, splits, closings and transfers`,
  async run(): Promise<Result> {
    const warn = console.warn
    // The client logs each refusal, which here is each fault.
    console.warn = () => undefined
    globalThis.addEventListener ??= () => undefined
    globalThis.removeEventListener ??= () => undefined
    const product = await startProduct({ ...trusting })
    const origin = product.address()
    const people = await Promise.all(
      (await addTechnicians(origin, technicianCount)).map((credentials, index) => openPerson(origin, credentials, index + 1)),
    )
    for (const person of people) await person.available()
    const visitors = await openVisitors(origin)

    const end = Date.now() + durationMs
    const faults: Record<string, number> = {}
    const talking = Promise.all(visitors.map((visitor) => talk(visitor, end)))
    const acting = Promise.all(
      people.map(async (person) => {
        while (Date.now() < end) {
          const act = await person.act()
          faults[act] = (faults[act] ?? 0) + 1
          await pause(stepMs * (0.5 + Math.random()))
        }
        await person.recover()
      }),
    )
    await Promise.all([talking, acting])
    await untilSent(people)
    const figures = await compare(people, visitors)
    for (const person of people) person.close()
    for (const { socket } of visitors) socket.close()
    await product.stop()
    console.warn = warn
    const { 'notes at a visitor': notes, lost, unsent, twice, 'out of order': disorder, 'two owners': owners } = figures
    return {
      good: notes + lost + unsent + twice + disorder + owners === 0 && figures.stored > 0,
      figures: { ...faults, ...figures },
    }
  },
}

type Visitor = { socket: VisitorConnection; key: string; name: string; received: string[] }

async function openVisitors(origin: string) {
  const visitors: Visitor[] = []
  for (let number = 1; number <= visitorCount; number += 1) {
    const socket = openVisitor(origin, 100 + number)
    const name = `Visiteur ${number}`
    const visitor = { socket, name, key: await startConversation(socket, name), received: [] as string[] }
    socket.on('chat:new-message', (message) => visitor.received.push(message.message))
    visitors.push(visitor)
  }
  return visitors
}

/** A visitor whose conversation was closed waits until it is reopened. */
async function talk({ socket, key }: Visitor, end: number) {
  for (let number = 1; Date.now() < end; number += 1) {
    await sendUntilAcknowledged(socket, key, `question ${number}`).catch(() => undefined)
    await pause(1_000 + Math.random() * 4_000)
  }
}

/** One technician on one device: its tabs share storage, locks and drafts, as those of one browser do. */
async function openPerson(origin: string, credentials: { username: string; password: string }, number: number) {
  const headers = { 'x-forwarded-for': addressOf(number) }
  let client = await signIn()
  const { body: profile } = await client.get<{ id_user: number }>('/api/auth/me')
  const userId = profile.id_user
  const [storage, shareTabs] = [createStorage(), createBrowser()]
  const written: Written[] = []
  const tabs: Tab[] = [openTab()]

  async function signIn() {
    const fresh = await createTestClient(origin).arrive()
    const { status, text } = await fresh.post('/api/auth/login', credentials, { headers })
    if (status !== 200) throw new Error(`sign-in refused: ${text}`)
    return fresh
  }

  function openTab(): Tab {
    const sockets: Socket[] = []
    const loadIo = (() => {
      const socket = io(`${origin}/staff`, {
        transports: ['websocket'],
        reconnectionDelay: 100,
        reconnectionDelayMax: 500,
        forceNew: true,
        extraHeaders: { ...headers, cookie: client.cookieHeader() },
      })
      sockets.push(socket)
      return socket
    }) as typeof io
    const session = createStaffSession(userId, () => undefined, { loadIo: () => loadIo, storage, tabs: shareTabs() })
    session.start()
    return { session, sockets }
  }

  const anyTab = () => pick(tabs)
  const closeTab = (tab: Tab) => {
    tab.session.stop()
    tabs.splice(tabs.indexOf(tab), 1)
  }

  /** As the page does it: the text stands in the field first. */
  function write(tab: Tab, chat: number, isNote: boolean) {
    const text = `${isNote ? 'note' : 'réponse'} ${userId}-${written.length + 1}.`
    written.push({ number: written.length + 1, chat, text, isNote })
    const { session } = tab
    void session.client.open(chat)
    const kind = isNote ? 'note' : 'answer'
    session.drafts.write(chat, kind, [session.drafts.read(chat, kind), text].filter(Boolean).join('\n'))
    if (isNote) session.addNote(chat, text)
    else if (session.read().chats.find((one) => one.id === chat)?.id_user === userId) session.sendAnswer(chat, text)
    else void session.claimAndAnswer(chat, text)
  }

  async function endSession() {
    await client.post('/api/auth/logoff', undefined, { headers }).catch(() => undefined)
    await pause(500 + Math.random() * 2_000)
    client = await signIn()
    for (const { session } of tabs) session.start()
    await available()
  }

  async function available() {
    for (let tries = 0; tries < 50; tries += 1) {
      if (await anyTab()?.session.setAvailable(true)) return
      await pause(200)
    }
  }

  async function split(tab: Tab) {
    const socket = tab.sockets.at(-1)
    socket?.io.reconnection(false)
    socket?.io.engine?.close()
    await pause(1_000 + Math.random() * 3_000)
    socket?.io.reconnection(true)
    socket?.connect()
  }

  async function act() {
    const tab = anyTab()
    if (!tab) return 'none'
    const { session } = tab
    const { chats, users } = session.read()
    for (const chat of chats) if (chat.offer?.to.id_user === userId) void session.accept(chat.id)
    const own = pick(ownChats(chats, userId))
    const waiting = pick(chats.filter((one) => one.status === 'waiting'))
    const colleague = pick(users.filter((user) => user.id_user !== userId && user.can_answer))
    const dice = Math.random()
    if (dice < 0.005) return await done('ended sessions', endSession())
    if (dice < 0.015) {
      closeTab(tab)
      tabs.push(openTab())
      return 'reloads'
    }
    if (dice < 0.03) {
      void split(tab)
      return 'splits'
    }
    if (dice < 0.04) {
      if (tabs.length > 1) closeTab(tab)
      else tabs.push(openTab())
      return 'second tabs'
    }
    if (own && dice < 0.06) return await done('closings', session.close(own.id))
    const closed = pick(chats.filter((one) => one.status === 'closed'))
    if (closed && dice < 0.09) return await done('reopenings', session.reopen(closed.id))
    if (own && colleague && dice < 0.13) return await done('transfers', session.transfer(own.id, colleague.id_user))
    if (waiting && dice < 0.4) {
      write(tab, waiting.id, false)
      return 'claims with an answer'
    }
    if (!own) return 'waits'
    write(tab, own.id, dice > 0.8)
    return dice > 0.8 ? 'notes' : 'answers'
  }

  return {
    userId,
    tabs,
    storage,
    written,
    act,
    available,
    /** Signed in, connected, with the tabs that are open. */
    async recover() {
      for (const { session } of tabs) session.start()
      await pause(500)
    },
    close: () => [...tabs].forEach(closeTab),
  }
}

type Person = Awaited<ReturnType<typeof openPerson>>

async function done(name: string, work: Promise<unknown>) {
  await work
  return name
}

const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)]

async function untilSent(people: Person[]) {
  const end = Date.now() + drainMs
  while (Date.now() < end && people.some(({ storage }) => storage.all.size > 0)) await pause(250)
  // What was refused goes back into its field, and the lists catch up.
  await pause(2_000)
}

async function compare(people: Person[], visitors: Visitor[]) {
  const shown = new Set<string>()
  let notes = 0
  for (const { socket, key, received } of visitors) {
    const texts = [...received, ...(await readConversation(socket, key)).map((one) => one.message)]
    notes += texts.filter((text) => text.startsWith('note ')).length
    for (const text of texts) shown.add(text)
  }
  const figures = { written: 0, stored: 0, 'back in the field': 0, unsent: 0, lost: 0, twice: 0, 'out of order': 0 }
  const [first] = people
  for (const person of people) {
    const session = person.tabs[0]?.session
    if (!session || !first) continue
    const chats = new Set(person.written.map((one) => one.chat))
    for (const chat of chats) {
      const stored = await readStaffMessages(session, chat)
      const own = person.written.filter((one) => one.chat === chat)
      const places = own.map((one) => stored.indexOf(one.text))
      const kept = places.filter((place) => place !== -1)
      figures.written += own.length
      figures.stored += kept.length
      figures.twice += own.filter((one) => stored.indexOf(one.text) !== stored.lastIndexOf(one.text)).length
      figures['out of order'] += kept.filter((place, index) => index > 0 && place < (kept[index - 1] ?? 0)).length
      for (const one of own.filter((_one, index) => places[index] === -1)) {
        const field = session.drafts.read(chat, one.isNote ? 'note' : 'answer')
        if (field.includes(one.text)) figures['back in the field'] += 1
        else if ([...person.storage.all.values()].some((unsent) => unsent.message === one.text)) figures.unsent += 1
        else figures.lost += 1
      }
    }
  }
  const owners = new Map<number, Set<number>>()
  for (const { tabs, userId } of people) {
    for (const { session } of tabs) {
      for (const { id } of ownChats(session.read().chats, userId)) owners.set(id, (owners.get(id) ?? new Set()).add(userId))
    }
  }
  return { ...figures, 'notes at a visitor': notes, 'two owners': [...owners.values()].filter((ids) => ids.size > 1).length }
}

/** All messages and notes, as the server has them. */
async function readStaffMessages({ client }: StaffSession, id: number) {
  const texts: string[] = []
  for (let after = 0; ;) {
    const page = await client.request('staff:open', { id, after_seq: after })
    for (const one of page.messages) if (!texts.includes(one.message) || one.seq > after) texts.push(one.message)
    const last = page.messages.at(-1)?.seq ?? after
    if (!page.more || last <= after) return texts
    after = last
  }
}

function createStorage(): UnsentStorage & { all: Map<string, StoredUnsent> } {
  const all = new Map<string, StoredUnsent>()
  return {
    all,
    put: async (one) => Boolean(all.set(one.client_message_id, one)),
    update: async (one) => all.has(one.client_message_id) && all.set(one.client_message_id, one),
    delete: async (id) => void all.delete(id),
    readAll: async () => [...all.values()],
  }
}

/** Locks and a channel between the tabs of one browser. */
function createBrowser() {
  const listeners: ((name: string) => void)[] = []
  const locks = new Map<string, Promise<unknown>>()
  return (): SharingTabs => {
    let own: (name: string) => void = () => undefined
    return {
      exclusively(name, work) {
        const result = (locks.get(name) ?? Promise.resolve()).then(work)
        locks.set(
          name,
          result.catch(() => undefined),
        )
        return result
      },
      publish: (name) => void setTimeout(() => listeners.forEach((listener) => listener !== own && listener(name))),
      subscribe(listener) {
        own = listener
        listeners.push(listener)
      },
    }
  }
}
