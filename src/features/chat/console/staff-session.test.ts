import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStorage, FakeServer, refuse, sent, settle } from '../client/fake-server.ts'
import { isComposing } from './composer.tsx'
import { createStaffSession } from './staff-session.ts'

let users = 100
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('addEventListener', vi.fn())
  vi.stubGlobal('removeEventListener', vi.fn())
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** A technician of each test's own: drafts outlive a page. */
async function start() {
  const server = new FakeServer()
  const session = createStaffSession((users += 1), () => undefined, { loadIo: () => server.io, storage: createStorage() })
  session.start()
  await settle()
  void session.client.open(1)
  await settle()
  return { server, session }
}

/** The conversation as the server has it. */
function storeChat(server: FakeServer, chat: object) {
  const handle = server.handle.bind(server)
  server.handle = (event, input) => ({ ...(handle(event, input) as object), ...(event === 'staff:open' && { chat }) })
}

test('an answer in nobody’s conversation leaves once that is won, and with it nothing that was written since', async () => {
  const { server, session } = await start()
  session.drafts.write(1, 'answer', 'Bonjour, je vous aide')
  server.faults.push(['claim', { answer: { ok: true, chat: { id: 1, status: 'claimed', updated_at: '2026' } } }])
  const answering = session.claimAndAnswer(1, 'Bonjour, je vous aide')
  expect(session.read().pending).toEqual(['answer 1', 'claim 1'])
  session.drafts.write(1, 'answer', 'Bonjour, je vous aide Un instant')
  await settle()
  expect(await answering).toBe(true)
  expect([sent(server), session.drafts.read(1, 'answer'), session.read().pending]).toEqual([
    ['Bonjour, je vous aide'],
    'Un instant',
    [],
  ])
  expect(server.requests.map(([event]) => event)).not.toContain('staff:note')
})

test('an answer that follows its claim at once waits for it, and leaves once however often it is sent', async () => {
  const { server, session } = await start()
  server.faults.push(['claim', { answer: { ok: true, chat: { id: 1, status: 'claimed', updated_at: '2026' } } }])
  session.drafts.write(1, 'answer', 'Bonjour')
  const claimed = session.claim(1)
  const answers = [session.claimAndAnswer(1, 'Bonjour'), session.claimAndAnswer(1, 'Bonjour')]
  await settle()
  expect([await claimed, await Promise.all(answers)]).toEqual([true, [true, false]])
  expect([sent(server), session.drafts.read(1, 'answer')]).toEqual([['Bonjour'], ''])
  expect(server.requests.filter(([event]) => event === 'staff:claim')).toHaveLength(1)
})

test('tags that are added and removed at once are all changed', async () => {
  const { server, session } = await start()
  const handle = server.handle.bind(server)
  let saves = 0
  server.handle = (event, input) => {
    if (event !== 'staff:tags') return handle(event, input)
    saves += 1
    const { tags } = input as { tags: string[] }
    return { ok: true, chat: { id: 1, status: 'waiting', updated_at: `2026-${saves}`, tags } }
  }
  const changes = [
    session.changeTags(1, (tags) => [...tags, 'imprimante']),
    session.changeTags(1, (tags) => [...tags, 'réseau']),
    session.changeTags(1, (tags) => tags.filter((tag) => tag !== 'imprimante')),
  ]
  await settle()
  expect(await Promise.all(changes)).toEqual([true, true, true])
  expect(session.read().chats.find(({ id }) => id === 1)?.tags).toEqual(['réseau'])
})

test('what was written for a colleague who cannot be offered the conversation waits as a note', async () => {
  const { server, session } = await start()
  session.drafts.write(1, 'answer', 'Bonjour')
  session.drafts.write(1, 'note', 'Pour nous')
  for (const note of ['Bonjour', 'Rappelez-la avant midi']) {
    server.faults.push(['transfer', refuse('no_users')])
    const offering = session.transfer(1, 2, note)
    await settle()
    expect(await offering).toBe(false)
  }
  expect(session.drafts.read(1, 'note')).toBe('Rappelez-la avant midi\nPour nous')
})

test('an answer that is left as a note takes nothing from the note being written', async () => {
  const { session } = await start()
  session.drafts.write(1, 'answer', 'oui')
  session.drafts.write(1, 'note', 'je crois que oui, à vérifier')
  session.addNote(1, 'oui', 'answer')
  expect([session.drafts.read(1, 'answer'), session.drafts.read(1, 'note')]).toEqual(['', 'je crois que oui, à vérifier'])
})

test('an answer that is mailed again after a lost confirmation is the same mail; once it is confirmed, another', async () => {
  const { session } = await start()
  const identifiers: unknown[] = []
  let isLost = true
  vi.stubGlobal('fetch', async (_address: string, { body }: { body: string }) => {
    identifiers.push((JSON.parse(body) as { client_id: string }).client_id)
    if (isLost) throw new TypeError('the connection was lost')
    return Response.json({ reference: 'AS-2026-000001' })
  })
  session.drafts.write(1, 'answer', 'Redémarrez le modem.')
  const lost = session.mailAnswer(1, 'Redémarrez le modem.')
  expect(session.read().pending).toEqual(['mail 1'])
  await expect(lost).rejects.toThrow()
  expect(session.read().pending).toEqual([])
  expect(session.drafts.read(1, 'answer')).toBe('Redémarrez le modem.')
  isLost = false
  expect(await session.mailAnswer(1, 'Redémarrez le modem.')).toBe('AS-2026-000001')
  expect(session.drafts.read(1, 'answer')).toBe('')
  await session.mailAnswer(1, 'Redémarrez le modem.')
  const [first, again, another] = identifiers
  expect(again).toBe(first)
  expect(another).not.toBe(first)
})

test.each([
  ['takeOver', 'take-over'],
  ['accept', 'accept'],
] as const)('a conversation that is taken with a late confirmation is one’s own (%s)', async (operation, part) => {
  const { server, session } = await start()
  const chat = { id: 1, status: 'claimed', id_user: users, updated_at: '2026' }
  storeChat(server, chat)
  server.faults.push([part, 'lose the answer'])
  const taking = session[operation](1)
  await settle(10_000)
  expect(await taking).toBe(true)
})

test.each(['lose the answer', 'lose the request'] as const)(
  'a claim without an answer is as the server has it (%s)',
  async (fault) => {
    const { server, session } = await start()
    const isTaken = fault === 'lose the answer'
    const chat = { id: 1, status: isTaken ? 'claimed' : 'waiting', id_user: isTaken ? users : null, updated_at: '2026' }
    session.drafts.write(1, 'answer', 'Bonjour')
    storeChat(server, chat)
    server.faults.push(['claim', fault])
    const answering = session.claimAndAnswer(1, 'Bonjour')
    await settle(10_000)
    expect(await answering).toBe(isTaken)
    expect([sent(server), session.drafts.read(1, 'answer')]).toEqual(isTaken ? [['Bonjour'], ''] : [[], 'Bonjour'])
    expect(session.read().failure?.operation === 'claim').toBe(!isTaken)
  },
)

test('where a colleague won it, the answer stays in its field and the refusal is of the claim', async () => {
  const { server, session } = await start()
  session.drafts.write(1, 'answer', 'Bonjour')
  server.faults.push(['claim', refuse('taken', { user_name: 'Zoé' })])
  const answering = session.claimAndAnswer(1, 'Bonjour')
  await settle()
  expect(await answering).toBe(false)
  expect([sent(server), session.drafts.read(1, 'answer')]).toEqual([[], 'Bonjour'])
  expect(session.read().failure).toMatchObject({ operation: 'claim', error: { code: 'taken', userName: 'Zoé' } })
})

test.each(['closed', 'taken', 'answered', 'forbidden'])(
  'an answer refused for good (%s) goes back into its field with those after it; a note stays a note',
  async (code) => {
    const { server, session } = await start()
    session.drafts.write(1, 'note', 'Pour nous')
    server.faults.push(['send', refuse(code)])
    session.sendAnswer(1, 'un')
    session.sendAnswer(1, 'deux')
    session.drafts.write(1, 'answer', 'trois')
    await settle()
    expect([sent(server), session.client.conversation(1).unsent]).toEqual([[], []])
    expect([session.drafts.read(1, 'answer'), session.drafts.read(1, 'note')]).toEqual(['un\ndeux\ntrois', 'Pour nous'])
  },
)

test('where the right to a conversation was taken away, what waited for it goes back into its field', async () => {
  const { server, session } = await start()
  server.isDown = true
  server.drop()
  session.sendAnswer(1, 'un')
  session.addNote(1, 'deux')
  await settle()
  for (const part of ['open', 'send', 'note', 'open']) server.faults.push([part, refuse('forbidden')])
  server.isDown = false
  await settle(10_000)
  expect([sent(server), session.client.conversation(1).unsent]).toEqual([[], []])
  expect([session.drafts.read(1, 'answer'), session.drafts.read(1, 'note')]).toEqual(['un', 'deux'])
})

test.each(['send', 'claim'])('a session that ended under an open socket is refused at a new handshake (%s)', async (part) => {
  const { server, session } = await start()
  server.refusal = 'not_connected'
  server.faults.push([part, refuse('not_connected')])
  if (part === 'send') session.sendAnswer(1, 'un')
  else void session.claim(1)
  await settle()
  expect(session.read()).toMatchObject({ link: 'lost', refusal: 'not_connected' })
  server.refusal = null
  const chat = { id: 1, status: 'claimed', updated_at: '2026' }
  server.faults.push(['open', { answer: { ok: true, messages: [], has_older: false, more: false, chat } }])
  session.start()
  await settle()
  expect([sent(server), session.client.conversation(1).unsent]).toEqual([part === 'send' ? ['un'] : [], []])
})

test('where the browser refuses locks and channels, as it does with storage, a text leaves without them', async () => {
  const request = async () => {
    throw new DOMException('denied', 'SecurityError')
  }
  vi.stubGlobal('navigator', { onLine: true, locks: { request } })
  const refused = vi.fn(function refuseChannel() {
    throw new DOMException('denied', 'SecurityError')
  })
  vi.stubGlobal('BroadcastChannel', refused)
  const { server, session } = await start()
  session.addNote(1, 'un')
  await settle()
  expect([sent(server), session.client.conversation(1).unsent]).toEqual([['un'], []])
})

test('the bell rings once for a visitor who waits too long, not for one who left, nor again after a reload', async () => {
  const begun = Date.parse('2026-11-20T14:00:00.000Z')
  vi.setSystemTime(begun)
  const own = (more = {}) => ({
    id: 1,
    id_user: users + 1,
    status: 'claimed',
    visitor: 'here',
    updated_at: '2026-11-20',
    ...more,
  })
  const begin = async (chat: object) => {
    const server = new FakeServer()
    const ask = { ...server.write('Allô?'), bz_staff: false, internal: false, sent_at: new Date(begun).toISOString() }
    server.messages = [ask]
    server.faults.push(['chats', { answer: { ok: true, chats: [chat], users: [], more: false, available: true, until: null } }])
    const rung: string[] = []
    const session = createStaffSession((users += 1), ({ type }) => type === 'silence' && rung.push(type), {
      loadIo: () => server.io,
      storage: createStorage(),
    })
    session.start()
    await settle()
    return { server, session, rings: (after: number) => (session.ringAfterSilence(begun + after), rung.length) }
  }
  const there = await begin(own())
  expect([29_999, 30_000, 31_000, 90_000].map(there.rings)).toEqual([0, 1, 1, 1])
  const asked = {
    ...there.server.write('Vous êtes là?'),
    bz_staff: false,
    internal: false,
    sent_at: new Date(begun + 60_000).toISOString(),
  }
  there.server.push(asked)
  await settle()
  // The wait began with the first message: it goes on.
  expect(there.rings(95_000)).toBe(1)
  const answer = {
    ...there.server.write('Oui'),
    bz_staff: true,
    internal: false,
    sent_at: new Date(begun + 96_000).toISOString(),
  }
  const next = {
    ...there.server.write('Merci'),
    bz_staff: false,
    internal: false,
    sent_at: new Date(begun + 97_000).toISOString(),
  }
  there.server.push(answer, next)
  await settle()
  expect([120_000, 127_000, 128_000].map(there.rings)).toEqual([1, 2, 2])

  const gone = await begin(own({ visitor: 'gone' }))
  expect(gone.rings(31_000)).toBe(0)
  const reloaded = await begin(own())
  expect(reloaded.rings(41_000)).toBe(0)
})

test.each([['lose the answer' as const], [refuse('broken')], [refuse('limited', { retry_after: 7 })]])(
  'a list that did not arrive is read again (%s), and until then no availability is known',
  async (fault) => {
    const server = new FakeServer()
    const listed = { ok: true, chats: [], users: [], more: false, available: true, until: null }
    server.faults.push(['chats', { answer: listed }], ['chats', fault], ['chats', { answer: listed }])
    const session = createStaffSession((users += 1), () => undefined, { loadIo: () => server.io, storage: createStorage() })
    session.start()
    await settle()
    expect(session.read()).toMatchObject({ link: 'up', isListed: true, available: true })
    server.drop()
    expect(session.read()).toMatchObject({ link: 'lost', isListed: false })
    await settle(3_000)
    expect(session.read()).toMatchObject({ link: 'up', isListed: false })
    await settle(30_000)
    expect(session.read()).toMatchObject({ link: 'up', isListed: true })
    session.stop()
  },
)

test('a conversation that returned to the queue while the laptop slept says so; Enter alone does not take it again', async () => {
  const server = new FakeServer()
  const session = createStaffSession((users += 1), () => undefined, { loadIo: () => server.io, storage: createStorage() })
  const list = (chat: object) => {
    const chats = [{ id: 1, id_user: users, status: 'claimed', updated_at: '2026-11-20', offer: null, ...chat }]
    server.faults.push(['chats', { answer: { ok: true, chats, users: [], more: false, available: true, until: null } }])
  }
  list({})
  session.start()
  await settle()
  expect(session.read().released).toEqual({})
  list({ id_user: null, status: 'waiting', updated_at: '2026-11-21' })
  server.drop()
  await settle(3_000)
  expect(session.read().released).toEqual({ 1: { reason: 'left', userName: '' } })
  session.stop()
})

test.each(['accepted', 'declined', 'expired'])('who offered a conversation reads that it was %s', async (result) => {
  const server = new FakeServer()
  const [from, to] = [users + 1, users + 2].map((id_user) => ({ id_user, user_name: `user ${id_user}` }))
  const alerts: unknown[] = []
  const session = createStaffSession((users += 1), (alert) => alerts.push(alert), {
    loadIo: () => server.io,
    storage: createStorage(),
  })
  const chat = { id: 1, status: 'claimed', updated_at: '2026', id_user: from?.id_user, offer: null }
  server.faults.push(['chats', { answer: { ok: true, chats: [chat], users: [], more: false, available: true, until: null } }])
  session.start()
  await settle()
  for (const one of ['withdrawn', result]) server.sockets[0]?.fire('staff:offer-ended', { id: 1, from, to, result: one })
  server.sockets[0]?.fire('staff:offer-ended', { id: 1, from: to, to: from, result })
  expect(alerts).toEqual([{ type: result, chat, colleague: to?.user_name }])
  session.stop()
})

test('announces a message once, however often the server sends it', async () => {
  const server = new FakeServer()
  const announced: unknown[] = []
  const own = users + 1
  const session = createStaffSession((users += 1), (alert) => alert.type === 'message' && announced.push(alert.message.seq), {
    loadIo: () => server.io,
    storage: createStorage(),
  })
  const chat = { id: 1, status: 'claimed', updated_at: '2026', id_user: own, offer: null }
  server.faults.push(['chats', { answer: { ok: true, chats: [chat], users: [], more: false, available: true, until: null } }])
  session.start()
  await settle()
  for (const seq of [3, 4, 3, 4, 5])
    server.sockets[0]?.fire('staff:new-message', { id: 1, seq, message: `Question ${seq}`, bz_staff: false, internal: false })
  expect(announced).toEqual([3, 4, 5])
  session.stop()
})

test('names the refused operation, also without a connection', async () => {
  const { server, session } = await start()
  server.isDown = true
  server.drop()
  expect(await session.close(1)).toBe(false)
  expect(session.read().failure).toMatchObject({ operation: 'close', error: { code: 'silent' } })
})

test.each([
  ['a composition', { isComposing: true, keyCode: 13 }, true],
  ['Safari’s Enter that ends one', { isComposing: false, keyCode: 229 }, true],
  ['Enter', { isComposing: false, keyCode: 13 }, false],
])('%s', (_name, nativeEvent, expected) => {
  expect(isComposing({ nativeEvent })).toBe(expected)
})
