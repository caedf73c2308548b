import type { FastifyRequest } from 'fastify'
import { and, arrayContains, asc, desc, eq, ilike, isNull, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Language } from '#src/lib/language/language.ts'
import { addressInLanguage, defaultLanguage, isLanguage, languages } from '#src/lib/language/language.ts'
import { id, idParam } from '#src/lib/schemas.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import { logger } from '#src/server/log.ts'
import { Limited, NotFound } from '#src/server/problems.ts'
import type { App, Routes } from '#src/server/types.ts'
import {
  audience,
  subscriber,
  subscriberCorrection,
  subscriberCounts,
  subscriberStates,
  subscriptionInput,
} from '../subscription.ts'
import { topics } from '../values.ts'
import type { Audience, Subscriber, SubscriberCounts, Topic } from '../subscription.ts'
import type { FormProblem, FormState, SubscriptionView } from '../subscription-html.ts'
import { emptyForm, renderSubscribeForm, renderSubscription, subscriptionTitle } from '../subscription-html.ts'
import { countAudience } from './mailings.ts'
import { readNetworks } from './service.ts'
import type { SubscriberRow } from './subscriptions.ts'
import {
  auditIdOf,
  choose,
  confirm,
  correctAddress,
  deleteSubscribers,
  findByToken,
  isExpired,
  leave,
  subscribe,
} from './subscriptions.ts'
import { subscribers } from './subscriber-table.ts'

const postsPerAddress = { points: 20, seconds: 600 }
const readsPerAddress = { points: 300, seconds: 60 }
const formLimit = 16 * 1024
const pageLength = 50
const countedMost = 10_001

/** What stands in the place of the form once it was sent. */
export const renderSent = (language: Language) =>
  renderSubscribeForm({ ...emptyForm(language), isSent: true }, { language, networks: [] })

type Answer = { isStored: true } | { isStored: false; status: number; html: string }

/** Takes the form of the status page; what was typed stays where something is missing. */
export async function subscribeByForm(
  app: App,
  form: FormData | null,
  { address, language }: { address: string; language: Language },
): Promise<Answer> {
  const fields = new URLSearchParams()
  for (const [name, value] of form ?? []) if (typeof value === 'string') fields.append(name, value)
  const chosen = readChoices(fields, language)
  const typed = (fields.get('email') ?? '').slice(0, 300).replaceAll('\0', '').toWellFormed()
  const fail = async (status: number, problem: FormProblem): Promise<Answer> => {
    const state: FormState = { ...chosen, networks: chosen.networks?.map(String) ?? [], email: typed, problem, isSent: false }
    return { isStored: false, status, html: renderSubscribeForm(state, { language, networks: await readNetworks(app) }) }
  }
  if (!form) return fail(415, 'failed')
  if (chosen.topics.length === 0) return fail(400, 'missingTopic')
  if ((await knownNetworks(app, chosen.networks))?.length === 0) return fail(400, 'goneNetworks')
  const input = subscriptionInput.safeParse({ ...chosen, email: typed })
  if (!input.success) return fail(400, 'wrongEmail')
  if (fields.get('consent') !== '1') return fail(400, 'missingConsent')
  try {
    await takeSubscription(app, input.data, address, language)
    return { isStored: true }
  } catch (error) {
    if (error instanceof Limited) return fail(429, 'limited')
    logger.error({ err: error }, 'a subscription was not stored')
    return fail(500, 'failed')
  }
}

async function takeSubscription(app: App, input: z.infer<typeof subscriptionInput>, address: string, pageLanguage?: Language) {
  await app.limits.take('network-subscription', address, postsPerAddress)
  const known = await knownNetworks(app, input.networks)
  // A program gets the same response for all: who reads the mail learns on their page that the networks are gone.
  const asked = { ...input, networks: known?.length === 0 ? input.networks : known }
  await subscribe(app, asked, address, new Date(), pageLanguage)
}

/** Those of the chosen networks that there are. Null, which is all of them, only where none was chosen. */
async function knownNetworks(app: App, chosen: number[] | null) {
  if (chosen === null) return null
  const known = new Set((await readNetworks(app)).map(({ id_reseau }) => id_reseau))
  return chosen.filter((one) => known.has(one))
}

function readChoices(fields: URLSearchParams, fallback: Language) {
  const language = fields.get('language')
  const chosen = fields.getAll('networks').slice(0, 200)
  return {
    language: isLanguage(language) ? language : fallback,
    networks: chosen.length > 0 ? chosen.map(Number).filter((one) => id.safeParse(one).success) : null,
    topics: topics.filter((topic) => fields.getAll('topics').includes(topic)),
  }
}

export type SubscriptionPage = { title: string; html: string }
const doneTexts = { confirme: 'confirmed', sauve: 'saved', sujet: 'missingTopic' } as const

/** The page of a subscription; `NotFound` for an unknown token. */
export async function findSubscriptionPage(
  app: App,
  token: string,
  language: Language,
  done: string | null,
): Promise<SubscriptionPage> {
  const row = await findByToken(app.db, token)
  const networks = await readNetworks(app)
  const isGone = row.networks !== null && !networks.some(({ id_reseau }) => row.networks?.includes(id_reseau))
  const view: SubscriptionView = {
    state: isExpired(row) ? 'expired' : row.state,
    email: row.email,
    language: row.language,
    networks: row.networks?.map(String) ?? [],
    topics: row.topics,
    hasBounced: row.bounces > 0,
    isGone: isGone || done === 'reseaux',
    done: doneTexts[done as keyof typeof doneTexts] ?? null,
  }
  const html = renderSubscription(view, `/reseau/abonnement/${token}`, { language, networks })
  return { title: subscriptionTitle(view, language), html }
}

const params = z.strictObject({ token: z.string().max(100) })
const secretPost = { access: 'public', protection: 'secret' } as const
const tokenOfRequest = (request: FastifyRequest) => (request.params as { token: string }).token

/** `/reseau/abonnement`: the posts of a subscription's page, and the one click that mail programs send (RFC 8058). */
export const subscriptionRoutes: Routes = async (app) => {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: formLimit }, (_request, body, done) => done(null, body))
    // An unknown secret is refused before its body is read.
    scope.addHook('preParsing', async (request) => {
      await app.limits.take('network-subscription-page', request.ip, readsPerAddress)
      await findByToken(app.db, tokenOfRequest(request))
    })
    scope.post('/:token/quitter', { config: secretPost, schema: { params, hide: true } }, async (request, reply) => {
      await leave(app.db, tokenOfRequest(request))
      return reply.header('cache-control', 'no-store').send()
    })
    scope.get('/:token/quitter', { config: { access: 'public' }, schema: { params, hide: true } }, async (request, reply) =>
      reply.header('referrer-policy', 'no-referrer').redirect(`/reseau/abonnement/${tokenOfRequest(request)}`),
    )
    scope.post('/:token', { config: secretPost, schema: { params, hide: true } }, async (request, reply) => {
      const fields = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '')
      const outcome = await handlePost(app, tokenOfRequest(request), fields, request.ip)
      const query = outcome ? `?${new URLSearchParams({ etat: outcome })}` : ''
      const address = `/reseau/abonnement/${encodeURIComponent(tokenOfRequest(request))}${query}`
      const language = fields.get('lang')
      return reply
        .header('referrer-policy', 'no-referrer')
        .header('cache-control', 'no-store')
        .redirect(isLanguage(language) && language !== 'fr' ? addressInLanguage(address, language) : address, 303)
    })
  })
}

async function handlePost(app: App, token: string, fields: URLSearchParams, address: string) {
  const { db } = app
  const action = fields.get('action')
  if (action === 'confirm') return (await confirm(db, token)).state === 'active' ? 'confirme' : ''
  if (action === 'leave') await leave(db, token)
  if (action !== 'save') return ''
  const chosen = readChoices(fields, 'fr')
  if (chosen.topics.length === 0) return 'sujet'
  const networks = await knownNetworks(app, chosen.networks)
  if (networks?.length === 0) return 'reseaux'
  const shown = fields.get('lang')
  await choose(db, token, { ...chosen, networks }, { address, language: isLanguage(shown) ? shown : defaultLanguage })
  return 'sauve'
}

/** `/public_api/networks`: subscribing by the API, and the page of a subscription for the browser. */
export const publicSubscriberRoutes: Routes = async (app) => {
  const accepted = { 202: z.literal('OK') }
  app.post(
    '/subscribers',
    { config: { access: 'public' }, schema: { body: subscriptionInput, response: accepted } },
    async (request, reply) => {
      await takeSubscription(app, request.body, request.ip)
      // The same for every address: nobody learns who is subscribed.
      return reply.code(202).send('OK')
    },
  )
  const body = z.strictObject({ token: z.string().max(100), lang: z.enum(languages), done: z.string().max(20).nullable() })
  app.post('/subscription', { config: { access: 'public' }, schema: { body, hide: true } }, async (request) => {
    await app.limits.take('network-subscription-page', request.ip, readsPerAddress)
    const { token, lang, done } = request.body
    return findSubscriptionPage(app, token, lang, done)
  })
}

const canRead = { config: { access: 'networks read_only' } } as const
const canWrite = { config: { access: 'networks read_write' } } as const

/** `/api/networks/subscribers`: staff. Addresses take the right to write; counts only that to read. */
export const subscriberRoutes: Routes = async (app) => {
  const { db } = app
  app.get('/counts', { ...canRead, schema: { response: { 200: subscriberCounts } } }, () => countSubscribers(app))

  const audienceQuery = z.strictObject({
    topic: z.enum(topics).default('outages'),
    networks: z
      .string()
      .regex(/^\d{1,9}(,\d{1,9}){0,199}$/)
      .optional(),
  })
  app.get('/audience', { ...canRead, schema: { querystring: audienceQuery, response: { 200: audience } } }, (request) => {
    const { topic, networks } = request.query
    return countAudience(db, { topic, networks: networks?.split(',').map(Number) ?? null })
  })

  const listQuery = z.strictObject({
    state: z.enum(subscriberStates).optional(),
    q: z.string().max(200).optional(),
    language: z.enum(languages).optional(),
    topic: z.enum(topics).optional(),
    network: idParam.optional(),
    page: z.coerce.number().int().min(1).max(10_000).default(1),
  })
  app.get(
    '/',
    { ...canWrite, schema: { querystring: listQuery, response: { 200: z.array(subscriber) } } },
    async (request, reply) => {
      const { state, q, language, topic, network, page } = request.query
      const isWanted = and(
        state && eq(subscribers.state, state),
        language && eq(subscribers.language, language),
        topic && arrayContains(subscribers.topics, [topic]),
        network === undefined ? undefined : or(isNull(subscribers.networks), arrayContains(subscribers.networks, [network])),
        q?.trim() ? ilike(subscribers.email, `%${q.trim().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`) : undefined,
      )
      const counted = db.select({ id: subscribers.id }).from(subscribers).where(isWanted).limit(countedMost).as('counted')
      const [total] = await db.select({ count: sql<number>`count(*)::int` }).from(counted)
      const rows = await db
        .select()
        .from(subscribers)
        .where(isWanted)
        .orderBy(desc(subscribers.createdAt), asc(subscribers.id))
        .limit(pageLength)
        .offset((page - 1) * pageLength)
      void reply.header('x-total-count', String(total?.count ?? 0))
      return rows.map(toSubscriber)
    },
  )

  const one = { params: z.strictObject({ id: idParam }), response: { 200: subscriber } }
  app.put('/:id', { ...canWrite, schema: { ...one, body: subscriberCorrection } }, (request) => {
    const { email, reason } = request.body
    return change(db, request.author, request.params.id, { action: 'correct subscriber', reason }, (tx, row) =>
      correctAddress(tx, app, row, email),
    )
  })
  app.post('/:id/pause', { ...canWrite, schema: one }, (request) =>
    change(db, request.author, request.params.id, { action: 'pause subscriber' }, async (tx, row) =>
      row.state === 'active' ? store(tx, row, { state: 'paused' }) : row,
    ),
  )
  app.post('/:id/resume', { ...canWrite, schema: one }, (request) =>
    change(db, request.author, request.params.id, { action: 'resume subscriber' }, async (tx, row) =>
      row.state === 'paused' ? store(tx, row, { state: 'active', bounces: 0, bounceReason: '' }) : row,
    ),
  )
  app.delete('/:id', { ...canWrite, schema: { params: one.params, response: { 204: z.null() } } }, async (request, reply) => {
    await change(db, request.author, request.params.id, { action: 'remove subscriber' }, async (tx, row) => {
      await deleteSubscribers(tx, eq(subscribers.id, row.id))
      return row
    })
    return reply.code(204).send(null)
  })
}

/** Records who did it; only a correction contains the address, and nothing else has the former one. */
async function change(
  db: Database,
  author: Author,
  id: number,
  { action, reason }: { action: string; reason?: string },
  work: (tx: Database, row: SubscriberRow) => Promise<SubscriberRow>,
) {
  return db.transaction(async (tx) => {
    const [row] = await tx.select().from(subscribers).where(eq(subscribers.id, id)).for('update')
    if (!row) throw new NotFound('This subscriber does not exist.')
    const after = await work(tx, row)
    const isCorrected = after.email !== row.email
    await recordChange(tx, author, {
      ...{ area: 'networks', action, entryId: auditIdOf(id) },
      ...(isCorrected && { before: { email: row.email } }),
      after: { state: row.state, ...(isCorrected && { email: after.email }), ...(reason && { reason }) },
    })
    return toSubscriber(after)
  })
}

async function store(tx: Database, row: SubscriberRow, changes: Partial<SubscriberRow>) {
  const [stored] = await tx
    .update(subscribers)
    .set({ ...changes, updatedAt: new Date() })
    .where(eq(subscribers.id, row.id))
    .returning()
  return stored ?? row
}

async function countSubscribers(app: App): Promise<SubscriberCounts> {
  const isActive = eq(subscribers.state, 'active')
  const { language, topics: chosen, networks } = subscribers
  const count = sql<number>`count(*)::int`
  const [states, byTopic, byNetwork, known] = await Promise.all([
    app.db.select({ state: subscribers.state, language, count }).from(subscribers).groupBy(subscribers.state, language),
    app.db
      .select({ key: sql<string>`unnest(${chosen})`.as('key'), language, count })
      .from(subscribers)
      .where(isActive)
      .groupBy(sql`key`, language),
    app.db
      .select({ key: sql<number | null>`unnest(coalesce(${networks}, array[null]::int[]))`.as('key'), language, count })
      .from(subscribers)
      .where(isActive)
      .groupBy(sql`key`, language),
    readNetworks(app),
  ])
  const inState = (state: string, one?: Language) => sumOf(states, (row) => row.state === state && (!one || row.language === one))
  const both = (find: (one: Language) => number): Audience => ({ fr: find('fr'), en: find('en') })
  const ofTopic = (topic: Topic) => both((one) => sumOf(byTopic, (row) => row.key === topic && row.language === one))
  // Who chose no network gets the notices of all.
  const ofNetwork = (id: number) =>
    both((one) => sumOf(byNetwork, (row) => (row.key === null || row.key === id) && row.language === one))
  return {
    active: both((one) => inState('active', one)),
    networks: known.map(({ id_reseau }) => ({ id_reseau, ...ofNetwork(id_reseau) })),
    topics: { outages: ofTopic('outages'), maintenance: ofTopic('maintenance'), news: ofTopic('news') },
    pending: inState('pending'),
    paused: inState('paused'),
    left: inState('left'),
  }
}

const sumOf = <Row extends { count: number }>(rows: readonly Row[], isCounted: (row: Row) => boolean) =>
  rows.reduce((sum, row) => sum + (isCounted(row) ? row.count : 0), 0)

function toSubscriber(row: SubscriberRow): Subscriber {
  return {
    id_subscriber: row.id,
    email: row.email,
    language: row.language,
    networks: row.networks,
    topics: row.topics,
    state: row.state,
    created_at: row.createdAt.toISOString(),
    confirmed_at: row.confirmedAt?.toISOString() ?? null,
    left_at: row.leftAt?.toISOString() ?? null,
    bounces: row.bounces,
    bounce_reason: row.bounceReason,
    consent: { text: row.consentText, at: row.consentAt.toISOString(), address: row.consentAddress },
  }
}
