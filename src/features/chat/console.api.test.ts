import { eq, like, sql } from 'drizzle-orm'
import type { Socket } from 'socket.io-client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#src/app/testing/test-app.ts'
import { groups } from '#src/features/people/server/table.ts'
import { applyRights, findAvailability } from './server/availability.ts'
import { findNamedChats } from './server/staff-chats.ts'
import { chatMessages, chats as chatTable, chatTexts } from './server/table.ts'
import { ask, createChatSockets, next } from './testing.ts'
import type { Suggestion } from './contract.ts'
import type { StaffChat, StaffMessage, StaffPresence } from './protocol.ts'

let product: TestApp
let chats: ReturnType<typeof createChatSockets>
beforeAll(async () => {
  product = await startTestApp()
  chats = createChatSockets(product)
})
afterAll(async () => {
  chats.close()
  await product.stop()
})

const staff = () => product.app.realtime.io.of('/staff')
const list = (socket: Socket, input: object = {}) =>
  ask<{ chats: StaffChat[]; more: boolean; users: StaffPresence[]; available: boolean }>(socket, 'staff:chats', input)

describe('colleagues', () => {
  let technician: Awaited<ReturnType<typeof chats.openTechnician>>
  beforeEach(async () => {
    technician = await chats.openTechnician()
  })

  test('a refusal names who answers', async () => {
    const { id } = await chats.openChat(technician)
    await ask(technician, 'staff:claim', { id })
    const other = await chats.openTechnician()
    for (const [event, input] of [
      ['staff:claim', { id }],
      ['staff:send-message', { id, message: 'Moi aussi' }],
      ['staff:close', { id }],
    ] as const) {
      const error = { code: 'taken', user_name: technician.client.user.displayName }
      expect(await ask(other, event, input)).toMatchObject({ ok: false, error })
    }
  })

  test.each([
    ['America/Halifax', 'America/Halifax'],
    ['Mars/Olympus', ''],
    [undefined, ''],
  ])('the time zone of a visitor’s device %j is shown as %j', async (time_zone, shown) => {
    const { id } = await chats.openChat(technician, { time_zone })
    const { chats: found } = (await list(technician)) as { chats: StaffChat[] }
    expect(found.find((one) => one.id === id)?.time_zone).toBe(shown)
  })

  test('technicians see what the visitor read, of what every stranger may read', async () => {
    const staffOf = await product.signIn()
    const titre = `Article ${crypto.randomUUID()}`
    const add = async (input: object) =>
      (await staffOf.post<{ id_article: number; slug: string }>('/api/articles/articles', { corps: '<p>Texte.</p>', ...input }))
        .body
    const shown = await add({ titre })
    const hidden = await add({ titre: `${titre} caché`, public: false })
    const read = [shown, hidden].map(({ slug }) => `/aide/${slug}`)
    const { id } = await chats.openChat(technician, { read: [...read, '/admin', 'https://evil.invalid/'] })
    const { chats: found } = (await list(technician)) as { chats: StaffChat[] }
    expect(found.find((one) => one.id === id)?.read).toEqual([{ title: titre, url: read[0] }])
  })

  test('a saved reply and an article are suggested by what the visitor wrote last, in their language', async () => {
    const word = `zq${crypto.randomUUID().replaceAll(/[^a-f]/g, 'k')}`
    const staffOf = await product.signIn()
    const english = { titre_en: `About ${word}`, corps_en: '<p>Text.</p>' }
    const { body: article } = await staffOf.post<{ id_article: number; slug_en: string }>('/api/articles/articles', {
      titre: `Le ${word}`,
      corps: '<p>Texte.</p>',
      ...english,
    })
    await staffOf.post('/api/articles/articles', { titre: `Interne ${word}`, corps: '<p>Secret.</p>', public: false })
    await staffOf.post('/api/chat/canned_replies', { shortcut: word, reply: `Réponse ${word}`, reply_en: `Reply ${word}` })
    const { id, socket: visitor, key } = await chats.openChat(technician, { language: 'en' })
    const suggested = () => technician.client.get<Suggestion[]>(`/api/chat/suggestions?chat=${id}`)
    expect((await suggested()).body).toEqual([])
    await ask(visitor, 'chat:send-message', { id_chat: key, message: `My ${word} is broken` })
    expect((await suggested()).body).toEqual([
      { kind: 'reply', id: expect.any(String), title: `/${word}`, text: `Reply ${word}`, url: null },
      {
        kind: 'article',
        id: `article-${article.id_article}`,
        title: `About ${word}`,
        text: `About ${word}\n${product.origin}/aide/${article.slug_en}?lang=en`,
        url: `/aide/${article.slug_en}`,
      },
    ])
    await ask(technician, 'staff:claim', { id })
    await ask(technician, 'staff:send-message', { id, message: 'Look here' })
    expect((await suggested()).body).toEqual([])
    const reader = await product.signIn({ chat: 'read_only' })
    expect((await reader.get(`/api/chat/suggestions?chat=${id}`)).status).toBe(403)
    expect((await technician.client.get('/api/chat/suggestions?chat=999999999')).status).toBe(404)
  })

  test('an answer written past a colleague’s is refused; the same one resent is not', async () => {
    const { id } = await chats.openChat(technician)
    await ask(technician, 'staff:claim', { id })
    const other = await chats.openTechnician()
    await ask(technician, 'staff:transfer', { id, id_user: other.client.user.id })
    await ask(other, 'staff:accept', { id })
    await ask(other, 'staff:send-message', { id, message: 'C’est réglé.' })
    await ask(other, 'staff:transfer', { id, id_user: technician.client.user.id })
    await ask(technician, 'staff:accept', { id })
    const late = { id, message: 'Je regarde.', after_seq: 0, client_message_id: crypto.randomUUID() }
    const error = { code: 'answered', user_name: other.client.user.displayName }
    expect(await ask(technician, 'staff:send-message', late)).toMatchObject({ ok: false, error })
    expect(await ask(technician, 'staff:send-message', { ...late, after_seq: 1 })).toMatchObject({ ok: true })
    expect(await ask(technician, 'staff:send-message', late)).toMatchObject({ ok: true, message: { seq: 2 } })
  })

  test('see who else is writing, but not themselves in another tab', async () => {
    const { id } = await chats.openChat(technician)
    await ask(technician, 'staff:claim', { id })
    const other = await chats.openTechnician()
    const tab = await chats.open('/staff', { cookie: technician.client.cookieHeader() })
    for (const socket of [other, tab]) await ask(socket, 'staff:open', { id })
    let own = 0
    tab.on('staff:answering', () => (own += 1))
    const received = next(other, 'staff:answering')
    await ask(technician, 'staff:typing', { id })
    expect(await received).toEqual({ id, user_name: technician.client.user.displayName })
    await list(tab)
    expect(own).toBe(0)
  })

  test('are listed once with their chats, however many tabs they have', async () => {
    await chats.open('/staff', { cookie: technician.client.cookieHeader() })
    const { id } = await chats.openChat(technician)
    const received = next<StaffPresence[]>(technician, 'staff:presence')
    await ask(technician, 'staff:claim', { id })
    await received
    const { users } = await list(technician)
    const own = users.filter((user) => user.id_user === technician.client.user.id)
    expect(own).toEqual([expect.objectContaining({ available: true, can_answer: true, chats: 1 })])
  })

  test('a chat whose technician left every console can be taken over, by one', async () => {
    const { id } = await chats.openChat(technician)
    await ask(technician, 'staff:claim', { id })
    const others = await Promise.all([chats.openTechnician(), chats.openTechnician()])
    expect(await ask(others[0], 'staff:claim', { id })).toMatchObject({ error: { code: 'taken' } })
    technician.disconnect()
    await expect
      .poll(async () => (await list(others[0])).users.map((user) => user.id_user))
      .not.toContain(technician.client.user.id)
    const answers = await Promise.all(others.map((one) => ask(one, 'staff:claim', { id })))
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
  })
})

describe('a right that changes in mid-session', () => {
  test('lowered: no longer available nor counted; taken away: the console closes', async () => {
    const technician = await chats.openTechnician()
    const rest = (await findAvailability(product.db, staff())).user_count
    const { groupId } = technician.client.user
    const change = (level: 'read_only' | 'none') =>
      product.db
        .update(groups)
        .set({ rights: { chat: level } })
        .where(eq(groups.id, groupId))
    const received = next(technician, 'staff:availability')
    await change('read_only')
    await applyRights(product.db, staff())
    expect(await received).toEqual({ available: false, until: null })
    expect((await findAvailability(product.db, staff())).user_count).toBe(rest - 1)
    expect((await list(technician)).users.find((user) => user.id_user === technician.client.user.id)?.can_answer).toBe(false)
    const closed = next(technician, 'disconnect')
    await change('none')
    await applyRights(product.db, staff())
    expect(await closed).toBe('io server disconnect')
  })
})

describe('history', () => {
  test('finds chats by name and message text, ignoring accents, with an excerpt of the message', async () => {
    const technician = await chats.openTechnician()
    const visitor = await chats.openChat(technician, { client_name: 'Étienne Cherché', client_email: 'etienne@example.com' })
    await ask(visitor.socket, 'chat:send-message', {
      id_chat: visitor.key,
      message: 'Le TÉLÉPHONE du comptoir d’accueil grésille 100 % du temps',
    })
    await ask(technician, 'staff:close', { id: visitor.id })
    for (const search of [
      'telephone du comptoir',
      "d'accueil gresille",
      'GRESILLE 100 %',
      'etienne cherche',
      'ETIENNE@example',
    ]) {
      const { chats: found } = await list(technician, { scope: 'all', search })
      expect(found.map((chat) => chat.id)).toEqual([visitor.id])
    }
    const [found] = (await list(technician, { scope: 'all', search: 'grésille' })).chats
    expect(found?.found).toBe('Le TÉLÉPHONE du comptoir d’accueil grésille 100 % du temps')
    expect((await list(technician, { scope: 'all', search: '1__ %' })).chats).toEqual([])
    expect(JSON.stringify(found)).not.toContain(visitor.key)
  })

  test('finds decomposed accents, ligatures and tags', async () => {
    const technician = await chats.openTechnician()
    const visitor = await chats.openChat(technician, { client_name: 'Zoe\u0301 Lebœuf', client_business: 'A\u0300 la carte' })
    const say = (message: string) => ask(visitor.socket, 'chat:send-message', { id_chat: visitor.key, message })
    expect(await say('Ma sœur a cre\u0301e\u0301 \u0007un compte\u001b[31m')).toMatchObject({
      message: { message: 'Ma sœur a créé un compte[31m' },
    })
    // As stored before texts were composed.
    await product.db.insert(chatMessages).values({
      chatId: visitor.id,
      seq: 2,
      message: 'Fene\u0302tre cassée, Señor',
      fromStaff: false,
      userName: 'Zoé',
    })
    await ask(technician, 'staff:tags', { id: visitor.id, tags: ['Équipement'] })
    for (const search of [
      'soeur a CREE',
      'sœur',
      'cre\u0301e\u0301',
      'zoe leboeuf',
      'fenetre',
      'FENÊTRE',
      'senor',
      'equipement',
      'a la carte',
    ]) {
      const { chats: found } = await list(technician, { scope: 'all', search })
      expect(
        found.map((chat) => chat.id),
        search,
      ).toEqual([visitor.id])
    }
  })

  test('finds a closed chat by what it holds now, also after a change, a reopening and a backup', async () => {
    const technician = await chats.openTechnician()
    const visitor = await chats.openChat(technician, { client_name: 'Odile Ornithorynque' })
    const search = async (text: string, scope: 'open' | 'all' = 'all') =>
      (await list(technician, { scope, search: text })).chats.map(({ id }) => id)
    await ask(visitor.socket, 'chat:send-message', { id_chat: visitor.key, message: 'Mon clavier crépite' })
    expect(await search('crepite', 'open')).toEqual([visitor.id])
    await ask(technician, 'staff:close', { id: visitor.id })
    expect(await search('crepite', 'open')).toEqual([])
    const change = { chatId: visitor.id, seq: 90, fromStaff: true, userName: 'Zoé' }
    const [added] = await product.db
      .insert(chatMessages)
      .values({ ...change, message: 'Ajouté après la fin' })
      .returning()
    expect(await search('ajoute apres')).toEqual([visitor.id])
    await product.db
      .update(chatMessages)
      .set({ message: 'Remplacé' })
      .where(eq(chatMessages.id, added?.id ?? 0))
    expect(await search('ajoute apres')).toEqual([])
    expect(await search('remplace')).toEqual([visitor.id])
    await product.db.delete(chatMessages).where(eq(chatMessages.id, added?.id ?? 0))
    await product.db.update(chatTable).set({ clientName: 'Berthe Bécasse' }).where(eq(chatTable.id, visitor.id))
    expect(await search('ornithorynque')).toEqual([])
    expect(await search('remplace')).toEqual([])
    expect(await search('becasse')).toEqual([visitor.id])
    await product.db.update(chatTable).set({ status: 'waiting' }).where(eq(chatTable.id, visitor.id))
    expect(await product.db.$count(chatTexts, eq(chatTexts.chatId, visitor.id))).toBe(0)
    expect(await search('crepite')).toEqual([visitor.id])
  })

  test.each(['a', String.raw`%_\\`, '🦆', Array.from({ length: 40 }, (_, n) => `m${n}`).join(' ')])(
    'a search of %s is answered',
    async (text) => {
      const technician = await chats.openTechnician()
      for (const scope of ['open', 'all'] as const) {
        expect(await ask(technician, 'staff:chats', { scope, search: text })).toHaveProperty('chats')
      }
    },
  )

  test('finds every word, in whatever order, also far back in the history', async () => {
    const technician = await chats.openTechnician()
    // Beyond what is read before an index is asked; without a text, but for two.
    await product.db.execute(sql`alter table chats disable trigger chat_text`)
    await product.db.execute(sql`insert into chats (key, client_name, client_email, status, updated_at)
      select 'past-' || n, case when n % 2050 = 0 then 'Ginette Gélinotte' || case n when 0 then ' 🪿' else '' end else 'Passé' end,
        'passe@example.com', 'closed', '2019-01-01T12:00:00Z'::timestamptz + n * interval '1 minute' from generate_series(0, 2100) n`)
    await product.db.execute(sql`alter table chats enable trigger chat_text`)
    await product.db.execute(sql`select refresh_chat_text(id) from chats where client_name like 'Ginette%'`)
    const search = async (text: string) =>
      (await list(technician, { scope: 'all', search: text })).chats.map((chat) => chat.client_name)
    expect(await search('gelinotte GINETTE')).toEqual(['Ginette Gélinotte', 'Ginette Gélinotte 🪿'])
    expect(await search('ginette 🪿')).toEqual(['Ginette Gélinotte 🪿'])
    expect(await search('🪿')).toEqual(['Ginette Gélinotte 🪿'])
    expect(await search('ginette zzzabsente')).toEqual([])
    expect(await findNamedChats(product.db, 'gélinotte ginette')).toHaveLength(2)
    await product.db.delete(chatTable).where(like(chatTable.key, 'past-%'))
  })

  test('goes back page by page', async () => {
    const technician = await chats.openTechnician()
    const base = Date.parse('2020-01-01T12:00:00Z')
    await product.db.insert(chatTable).values(
      Array.from({ length: 320 }, (_, index) => ({
        key: `old-${index}`,
        clientName: `Ancien ${index}`,
        clientEmail: 'ancien@example.com',
        status: 'closed' as const,
        updatedAt: new Date(base + index),
      })),
    )
    const first = await list(technician, { scope: 'all' })
    expect(first.more).toBe(true)
    const second = await list(technician, { scope: 'all', before: first.chats.at(-1)?.updated_at })
    expect(second.more).toBe(false)
    const names = new Set([...first.chats, ...second.chats].map((chat) => chat.id))
    expect(names.size).toBe(await product.db.$count(chatTable))
  })

  test('a conversation of 1,200 messages opens whole', async () => {
    const technician = await chats.openTechnician()
    const { id } = await chats.openChat(technician)
    const rows = Array.from({ length: 1_200 }, (_, index) => ({
      chatId: id,
      seq: index + 1,
      message: `${index + 1}`,
      fromStaff: false,
      userName: 'Annie',
    }))
    await product.db.insert(chatMessages).values(rows)
    const received: number[] = []
    for (let more = true; more;) {
      const page = await ask<{ messages: StaffMessage[]; more: boolean }>(technician, 'staff:open', {
        id,
        after_seq: received.at(-1) ?? 0,
      })
      received.push(...page.messages.map((message) => message.seq))
      more = page.more
    }
    expect(received).toEqual(rows.map((row) => row.seq))
  })
})
