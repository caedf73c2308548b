import { createHash, createHmac } from 'node:crypto'
import type { SQL } from 'drizzle-orm'
import { and, asc, eq, inArray, lt, ne, or, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import { addressInLanguage, defaultLanguage } from '#src/lib/language/language.ts'
import type { Language } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { eraseValues } from '#src/server/audit-log/audit-log.ts'
import { secretMarker } from '#src/server/background/mail-secrets.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { Database } from '#src/server/database/database.ts'
import type { Finding, PersonalDataKind } from '#src/server/personal-data.ts'
import { Conflict, NotFound } from '#src/server/problems.ts'
import { findByWords } from '#src/server/search/stored-texts.ts'
import { keyFor } from '#src/server/secrets/keys.ts'
import type { App } from '#src/server/types.ts'
import { composeLinkMail } from '../notice-mail.ts'
import type { SubscriptionChoices, SubscriptionInput, Topic } from '../subscription.ts'
import { subscriptionTexts } from '../subscription-texts.ts'
import { mailingRecipients, subscribers } from './subscriber-table.ts'
import { networks } from './table.ts'

export type SubscriberRow = typeof subscribers.$inferSelect

const hourMs = 3_600_000
/** A link of confirmation that was not used in this time needs a new subscription. */
const confirmMs = 48 * hourMs
/** One mail a day to one address, however often somebody enters it. */
const mailAgainMs = 24 * hourMs

const consentText = (language: Language, topics: readonly Topic[]) =>
  translator(subscriptionTexts, language)(topics.includes('news') ? 'consentNews' : 'consent', { company: company.legalName })

/** Never from the Host header: whoever subscribes somebody could choose where the link leads. */
export const originOf = ({ config, listeningOrigin }: Pick<App, 'config' | 'listeningOrigin'>) =>
  config.publicUrl ?? listeningOrigin

export const replyToOf = ({ config }: Pick<App, 'config'>) => config.mailInbox ?? company.emails.support

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

/** 128 bits that each mail can carry without the database storing them. */
export function tokenOf(db: Database, { id, linkGeneration }: Pick<SubscriberRow, 'id' | 'linkGeneration'>) {
  const values = ['subscription', id, linkGeneration].join('\n')
  return createHmac('sha256', keyFor(db, 'links')).update(values).digest().subarray(0, 16).toString('base64url')
}

/** Page of a subscription; `token` may be the placeholder of a mail to many. */
export function pageOf(app: Pick<App, 'config' | 'listeningOrigin'>, token: string, language: Language) {
  const address = `${originOf(app)}/reseau/abonnement/${token}`
  return language === defaultLanguage ? address : addressInLanguage(address, language)
}

/**
 * Stores a subscription that waits for its confirmation. Whoever asks learns nothing of who is subscribed, and a stranger
 * changes nothing of a subscription that there is. `pageLanguage`: of the sentence of consent that was shown, which is stored.
 */
export async function subscribe(
  app: App,
  input: SubscriptionInput,
  address: string,
  now = new Date(),
  pageLanguage: Language = input.language,
) {
  await app.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`subscriber ${input.email.toLowerCase()}`}))`)
    const [known] = await tx
      .select()
      .from(subscribers)
      .where(eq(sql`lower(${subscribers.email})`, input.email.toLowerCase()))
    const isWaiting = known?.state === 'pending' && known.linkSentAt.getTime() > now.getTime() - confirmMs
    if (known && known.linkSentAt.getTime() > now.getTime() - mailAgainMs && known.state !== 'left') return
    if (known && (known.state === 'active' || known.state === 'paused' || isWaiting)) {
      await tx.update(subscribers).set({ linkSentAt: now }).where(eq(subscribers.id, known.id))
      return sendLink(tx, app, known, isWaiting ? 'confirm' : 'known')
    }
    const values = {
      email: input.email,
      language: input.language,
      networks: input.networks,
      topics: input.topics,
      state: 'pending' as const,
      consentText: consentText(pageLanguage, input.topics),
      consentAt: now,
      consentAddress: address,
      linkSentAt: now,
      confirmedAt: null,
      leftAt: null,
      bounces: 0,
      bounceReason: '',
      updatedAt: now,
    }
    const isFlood = known?.state === 'left' && known.linkSentAt.getTime() > now.getTime() - mailAgainMs
    const [row] = known
      ? await tx
          .update(subscribers)
          // The links of a former subscription end.
          .set({ ...values, linkGeneration: known.linkGeneration + 1, ...(isFlood && { linkSentAt: known.linkSentAt }) })
          .where(eq(subscribers.id, known.id))
          .returning()
      : await tx.insert(subscribers).values(values).returning()
    if (!row) throw new Error('the subscription was not stored')
    await tx
      .update(subscribers)
      .set({ linkHash: hashOf(tokenOf(tx, row)) })
      .where(eq(subscribers.id, row.id))
    return sendLink(tx, app, row, 'confirm')
  })
}

/**
 * Corrects an address: whoever reads the new one confirms it, as its owner would have; until then nothing is sent. Mails that
 * wait for the former address are not sent any more, and its links end.
 */
export async function correctAddress(tx: Database, app: App, row: SubscriberRow, email: string, now = new Date()) {
  if (row.email === email) return row
  const [other] = await tx
    .select({ id: subscribers.id })
    .from(subscribers)
    .where(and(eq(sql`lower(${subscribers.email})`, email.toLowerCase()), ne(subscribers.id, row.id)))
  if (other) throw new Conflict('Another subscriber has this address.', { reason: 'taken' })
  const waiting = tx
    .select({ id: mailingRecipients.mailId })
    .from(mailingRecipients)
    .where(eq(mailingRecipients.subscriberId, row.id))
  await tx.delete(mails).where(and(inArray(mails.id, waiting), eq(mails.state, 'waiting')))
  const isAsked = row.state !== 'left'
  const [next] = await tx
    .update(subscribers)
    .set({
      email,
      linkGeneration: row.linkGeneration + 1,
      ...(isAsked && { state: 'pending', confirmedAt: null, linkSentAt: now, bounces: 0, bounceReason: '' }),
      updatedAt: now,
    })
    .where(eq(subscribers.id, row.id))
    .returning()
  if (!next) throw new Error('the subscriber was not stored')
  const [stored] = await tx
    .update(subscribers)
    .set({ linkHash: hashOf(tokenOf(tx, next)) })
    .where(eq(subscribers.id, row.id))
    .returning()
  if (isAsked) await sendLink(tx, app, next, 'confirm')
  return stored ?? next
}

async function sendLink(tx: Database, app: App, row: SubscriberRow, kind: 'confirm' | 'known') {
  const mail = composeLinkMail(kind, row, pageOf(app, secretMarker, row.language))
  await app.mailer.enqueueBulk(tx, {
    mail: { ...mail, replyTo: replyToOf(app), endsAt: new Date(Date.now() + confirmMs) },
    recipients: [{ to: row.email, secret: tokenOf(tx, row) }],
    isUrgent: true,
  })
}

/** Whose link it is; `NotFound` for an unknown token. */
export async function findByToken(db: Database, token: string): Promise<SubscriberRow> {
  const [row] = await db
    .select()
    .from(subscribers)
    .where(eq(subscribers.linkHash, hashOf(token)))
  if (!row) throw new NotFound('There is no such subscription.')
  return row
}

export const isExpired = ({ state, linkSentAt }: SubscriberRow, now = Date.now()) =>
  state === 'pending' && linkSentAt.getTime() < now - confirmMs

/** Confirms a subscription that waits, or resumes a paused one; the same again changes nothing. */
export async function confirm(db: Database, token: string, now = new Date()) {
  return changeByToken(db, token, (row) => {
    if (row.state === 'paused') return { state: 'active', bounces: 0, bounceReason: '' }
    return row.state === 'pending' && !isExpired(row, now.getTime()) ? { state: 'active', confirmedAt: now } : null
  })
}

/** Leaves at once, from whatever state; the same again changes nothing. */
export async function leave(db: Database, token: string, now = new Date()) {
  return changeByToken(db, token, (row) => (row.state === 'left' ? null : { state: 'left', leftAt: now }))
}

/** Consent to news given on the page of a subscription; `language` is that of the page. */
type Consent = { address: string; language: Language }

/** Stores the choices. Newly chosen news add the consent text shown on the page to the former one, as proof of both. */
export async function choose(
  db: Database,
  token: string,
  choices: SubscriptionChoices,
  { address, language }: Consent,
  now = new Date(),
) {
  return changeByToken(db, token, (row) => {
    if (row.state !== 'active' && row.state !== 'paused') return null
    const isNew = choices.topics.includes('news') && !row.topics.includes('news')
    const shown = translator(subscriptionTexts, language)('newsConsent', { company: company.legalName })
    const former = `${row.consentText} (${row.consentAt.toISOString()}, ${row.consentAddress})`
    const consent = { consentText: `${former}\n${shown}`, consentAt: now, consentAddress: address }
    return { ...choices, ...(isNew && consent) }
  })
}

async function changeByToken(db: Database, token: string, decide: (row: SubscriberRow) => Partial<SubscriberRow> | null) {
  return db.transaction(async (tx) => {
    const { id } = await findByToken(tx, token)
    const [row] = await tx.select().from(subscribers).where(eq(subscribers.id, id)).for('update')
    if (!row) throw new NotFound('There is no such subscription.')
    const changes = decide(row)
    if (!changes) return row
    const [stored] = await tx
      .update(subscribers)
      .set({ ...changes, updatedAt: new Date() })
      .where(eq(subscribers.id, id))
      .returning()
    return stored ?? row
  })
}

const isOf = (email: string) => eq(sql`lower(${subscribers.email})`, email)

export const auditIdOf = (id: number) => `subscriber/${id}`

/** Deletes subscriptions, and what the audit log contains of their corrections; returns how many. */
export async function deleteSubscribers(tx: Database, condition: SQL) {
  const deleted = await tx.delete(subscribers).where(condition).returning({ id: subscribers.id })
  await eraseValues(
    tx,
    'networks',
    deleted.map(({ id }) => auditIdOf(id)),
  )
  return deleted.length
}

/** Subscriptions with their consent; one that was left is the proof of it until the end of its period. */
export const subscriberData: PersonalDataKind = {
  kind: 'subscribers',
  addresses: [subscribers.email],
  async find(db, email) {
    return describeSubscribers(db, isOf(email))
  },
  async erase(tx, email, { isChosen = () => true } = {}) {
    const own = await tx.select({ id: subscribers.id }).from(subscribers).where(isOf(email))
    const ids = own.map(({ id }) => id).filter((id) => isChosen(String(id)))
    return deleteSubscribers(tx, inArray(subscribers.id, ids))
  },
  candidates: {
    ids: subscribers.id,
    search: (db, text, most) => findByWords(db, { id: subscribers.id, columns: [subscribers.email] }, text, most),
    describe: (db, ids) => describeSubscribers(db, inArray(subscribers.id, ids.map(Number))),
    erase: (tx, ids) => deleteSubscribers(tx, inArray(subscribers.id, ids.map(Number))),
  },
  retention: {
    async purge(db, before, limit) {
      const isUnconfirmed = and(eq(subscribers.state, 'pending'), lt(subscribers.linkSentAt, new Date(Date.now() - confirmMs)))
      const hasLeft = and(eq(subscribers.state, 'left'), lt(subscribers.leftAt, before))
      const old = db.select({ id: subscribers.id }).from(subscribers).where(or(isUnconfirmed, hasLeft)).limit(limit)
      return db.transaction((tx) => deleteSubscribers(tx, inArray(subscribers.id, old)))
    },
  },
}

async function describeSubscribers(db: Database, where: SQL): Promise<Finding[]> {
  const rows = await db.select().from(subscribers).where(where).orderBy(asc(subscribers.id))
  const named = await db.select({ id: networks.id, name: networks.name }).from(networks)
  const nameOf = (id: number) => named.find((one) => one.id === id)?.name ?? String(id)
  return rows.map((row) => ({
    id: String(row.id),
    at: row.createdAt.toISOString(),
    fields: {
      email: row.email,
      language: row.language,
      networks: row.networks?.map(nameOf).join(', ') ?? null,
      topics: row.topics.join(', '),
      subscription_state: row.state,
      consent: row.consentText,
      consent_at: row.consentAt.toISOString(),
      consent_address: row.consentAddress,
      confirmed_at: row.confirmedAt?.toISOString() ?? null,
      left_at: row.leftAt?.toISOString() ?? null,
      bounces: row.bounces,
      bounce_reason: row.bounceReason,
    },
  }))
}
