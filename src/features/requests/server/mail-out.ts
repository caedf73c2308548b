import { and, asc, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import { translator } from '#src/lib/language/texts.ts'
import type { Language } from '#src/lib/language/language.ts'
import { escapeXml } from '#src/lib/text/escape.ts'
import { layOutMail, mailButton, mailFoot, mailParagraph } from '#src/lib/text/mail-html.ts'
import { isolateDirection } from '#src/lib/text/plain-text.ts'
import type { Mail } from '#src/server/background/mail.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { Database } from '#src/server/database/database.ts'
import type { App } from '#src/server/types.ts'
import { users } from '#src/features/people/server/table.ts'
import { customerMailTexts } from '../server-texts.ts'
import type { RequestKind } from '../values.ts'
import { findPageAddress, pageAddressOf, signMessageId, storeLinks } from './signed-ids.ts'
import type { requests } from './table.ts'
import { requestEntries, requestEntryMails } from './table.ts'

type Context = Pick<App, 'mailer' | 'config'>
type RequestRow = typeof requests.$inferSelect
type Purpose = (typeof requestEntryMails.$inferInsert)['purpose']
type Entry = { id: number; text: string; userId: number | null; files: { id: number; name: string; type: string }[] }

export function recipientOf(config: Context['config'], kind: RequestKind) {
  const chosen = kind === 'contact' ? config.mailContactTo : config.mailSupportTo
  return chosen ?? company.emails.support
}

/** No more acknowledgements a day leave to one address: the form must not become a way to flood somebody. */
const acknowledgementsPerDay = 3
const dayMs = 86_400_000

type Acknowledged = { request: RequestRow; entryId: number; inReplyTo?: string | undefined; former?: string | undefined }

/** Mails the number and the link to each customer; it repeats nothing of what was typed. */
export async function acknowledge(tx: Database, context: Context, acknowledged: Acknowledged[]) {
  if (acknowledged.length === 0) return
  const due = await findDue(tx, acknowledged)
  await storeLinks(
    tx,
    due.map(({ request }) => request),
  )
  const mailTo = ({ request, entryId, inReplyTo, former }: Acknowledged): Sent => {
    const t = translator(customerMailTexts, request.language)
    const { reference, email: to } = request
    const received = former ? t('receivedAgain', { former, reference }) : t('received', { reference })
    const link = linkOf(t('follow'), pageAddressOf(tx, context.config, request))
    return {
      request,
      place: { entryId, purpose: 'acknowledgement' },
      mail: {
        to,
        subject: t('receivedSubject', { reference }),
        ...writeBody(request.language, [received, t('answerHere')], link, company.name),
        headers: { autoSubmitted: 'auto-replied', ...(inReplyTo && { inReplyTo, references: [inReplyTo] }) },
      },
    }
  }
  await sendAll(tx, context, due.map(mailTo))
}

/** Those whose address was not acknowledged too often today. */
async function findDue(tx: Database, acknowledged: Acknowledged[]) {
  const emailOf = ({ request }: Acknowledged) => request.email.toLowerCase()
  const emails = [...new Set(acknowledged.map(emailOf))]
  // In one order: two transactions with the same addresses would otherwise wait for each other.
  await tx.execute(sql`select pg_advisory_xact_lock(key) from (select distinct hashtext('acknowledgement ' || email) as key
    from unnest(${sql.param(emails)}::text[]) as email order by key) as keys`)
  const recipient = sql<string>`lower(${mails.recipient})`
  const isAcknowledgement = eq(requestEntryMails.purpose, 'acknowledgement')
  // The outer join keeps the address first: without statistics, as after a busy day, every acknowledgement would be read.
  const sent = await tx
    .select({ recipient, count: sql<number>`(count(*) filter (where ${isAcknowledgement}))::int` })
    .from(mails)
    .leftJoin(requestEntryMails, eq(requestEntryMails.mailId, mails.id))
    .where(and(inArray(recipient, emails), gt(mails.createdAt, new Date(Date.now() - dayMs))))
    .groupBy(recipient)
  const sentTo = new Map(sent.map((row) => [row.recipient, row.count]))
  return acknowledged.filter((one) => {
    const before = sentTo.get(emailOf(one)) ?? 0
    sentTo.set(emailOf(one), before + 1)
    return before < acknowledgementsPerDay
  })
}

/** Names of members of the staff as customers read them: who has no name of their own writes as the company. */
export async function findPublicNames(db: Database, userIds: readonly (number | null)[]) {
  const ids = [...new Set(userIds.flatMap((id) => id ?? []))]
  if (ids.length === 0) return new Map<number | null, string>()
  const rows = await db
    .select({ id: users.id, name: users.displayName, username: users.username })
    .from(users)
    .where(inArray(users.id, ids))
  return new Map<number | null, string>(
    rows.map(({ id, name, username }) => [id, name === username || name === '' ? company.name : name]),
  )
}

/** Mails a reply of the staff to the customer, and to each address of `cc`. */
export async function mailReply(tx: Database, context: Context, request: RequestRow, entry: Entry, cc: string[]) {
  const t = translator(customerMailTexts, request.language)
  const link = await findPageAddress(tx, context.config, request)
  const { reference } = request
  const thread = await findThread(tx, request.id)
  const name = (await findPublicNames(tx, [entry.userId])).get(entry.userId) ?? company.name
  const signature = name === company.name ? name : `${name}, ${company.name}`
  const copies = [...new Set(cc.map((one) => one.trim()))].filter((one) => one.toLowerCase() !== request.email.toLowerCase())
  const mail: Omit<Mail, 'to'> = {
    subject: t(request.subject ? 'replySubject' : 'replyWithoutSubject', {
      reference,
      subject: isolateDirection(request.subject),
    }),
    ...writeBody(request.language, entry.text.split(/\n{2,}/), linkOf(t('follow'), link), signature),
    headers: {
      autoSubmitted: 'no',
      fromName: signature,
      to: [request.email],
      ...(copies.length > 0 && { cc: copies }),
      ...(thread.last && { inReplyTo: thread.last, references: thread.ids }),
    },
    files: entry.files.map(({ id, name, type }) => ({ id, name, type })),
  }
  for (const [index, to] of [request.email, ...copies].entries()) {
    // A copy shows the link to nobody but the customer.
    const body =
      index === 0 || !link ? mail : { ...mail, ...writeBody(request.language, entry.text.split(/\n{2,}/), null, signature) }
    await send(tx, context, request, { entryId: entry.id, purpose: index === 0 ? 'reply' : 'copy', copy: index }, { ...body, to })
  }
}

const linkOf = (label: string, address: string | null): Link => (address === null ? null : { label, address })

type Place = { entryId: number; purpose: Purpose; copy?: number }

type Sent = { request: RequestRow; place: Place; mail: Mail }

const send = (tx: Database, context: Context, request: RequestRow, place: Place, mail: Mail) =>
  sendAll(tx, context, [{ request, place, mail }])

async function sendAll(tx: Database, { mailer, config }: Context, sent: Sent[]) {
  if (sent.length === 0) return
  const ids = await mailer.enqueueAll(
    tx,
    sent.map(({ request, place: { entryId, copy = 0 }, mail }) => ({
      ...mail,
      messageId: signMessageId(tx, mailer.host, request.reference, entryId, copy),
      replyTo: config.mailInbox ?? recipientOf(config, request.kind),
      thread: `request/${request.id}`,
    })),
  )
  const placed = sent.map(({ place: { entryId, purpose } }, at) => ({ mailId: ids[at] ?? 0, entryId, purpose }))
  await tx.insert(requestEntryMails).values(placed)
  const held = ids.filter((_, at) => sent[at]?.request.onHold)
  if (held.length > 0) await tx.update(mails).set({ onHold: true }).where(inArray(mails.id, held))
}

const longestThread = 20

/** Message ids of the thread, oldest first; the last one is what a reply answers. */
async function findThread(tx: Database, requestId: number) {
  const received = await tx
    .select({ id: requestEntries.messageId, at: requestEntries.createdAt })
    .from(requestEntries)
    .where(and(eq(requestEntries.requestId, requestId), isNotNull(requestEntries.messageId)))
  const sent = await tx
    .select({ id: mails.messageId, at: mails.createdAt })
    .from(requestEntryMails)
    .innerJoin(mails, eq(mails.id, requestEntryMails.mailId))
    .innerJoin(requestEntries, eq(requestEntries.id, requestEntryMails.entryId))
    .where(and(eq(requestEntries.requestId, requestId), inArray(requestEntryMails.purpose, ['acknowledgement', 'reply'])))
    .orderBy(asc(mails.id))
  const all = [...received, ...sent].toSorted((one, other) => one.at.getTime() - other.at.getTime())
  const ids = all.flatMap(({ id }) => id ?? [])
  return { ids: ids.length > longestThread ? [...ids.slice(0, 1), ...ids.slice(1 - longestThread)] : ids, last: ids.at(-1) }
}

/** Mails a new link to the customer's page, in answer to who met an expired one. */
export async function mailNewLink(tx: Database, context: Context, request: RequestRow, entryId: number) {
  const t = translator(customerMailTexts, request.language)
  const link = await findPageAddress(tx, context.config, request)
  const { reference } = request
  await send(
    tx,
    context,
    request,
    { entryId, purpose: 'link', copy: 100 + (request.linkGeneration % 900) },
    {
      to: request.email,
      subject: t('linkSubject', { reference }),
      ...writeBody(request.language, [t('newLink', { reference })], linkOf(t('follow'), link), company.name),
      headers: { autoSubmitted: 'auto-replied' },
    },
  )
}

type Link = { label: string; address: string } | null

/** Text and HTML of a mail to a customer; plain paragraphs that read well from 320 pixels on. */
export function writeBody(language: Language, paragraphs: string[], link: Link, signature: string) {
  const t = translator(customerMailTexts, language)
  const foot = t('foot', { company: company.name, phone: company.phones.tollFree.display })
  // The color is the reader's own, light or dark.
  const end = signature === company.name ? [foot] : [signature, foot]
  const text = [...paragraphs, ...(link ? [`${link.label}\n${link.address}`] : []), `--\n${end.join('\n')}`].join('\n\n')
  const html = layOutMail(language, '', [
    ...paragraphs.map((one) => mailParagraph(one)),
    link ? mailButton(link) : '',
    mailFoot(end.map(escapeXml).join('<br>')),
  ])
  return { body: `${text}\n`, html }
}
