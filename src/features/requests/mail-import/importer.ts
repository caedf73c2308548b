import { and, eq, inArray, sql } from 'drizzle-orm'
import type { ImportContext, Importer, ImportSource, LeftOut, SourceEntry } from '#src/features/content/server/importing.ts'
import { cut, Refused, staffChoice, UnusableSource } from '#src/features/content/server/importing.ts'
import { users } from '#src/features/people/server/table.ts'
import { email as emailSchema, limits } from '#src/lib/schemas.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { Database } from '#src/server/database/database.ts'
import { addEntry } from '../server/entries.ts'
import type { IncomingMail } from '../server/mail-in.ts'
import { deleteRequests, takeReference } from '../server/service.ts'
import { requestBlocks, requestEntries, requests } from '../server/table.ts'
import { withoutPrefix } from '../server/take-mail.ts'
import { openMailFile } from './mail-files.ts'
import { findMailFolders, openMailFolder } from './mail-folder.ts'
import type { MailReader } from './read-apart.ts'
import { createMailReader } from './read-apart.ts'
import type { MailHead, Person, Thread } from './threads.ts'
import { createThreads } from './threads.ts'

/** The heads of so many stay in memory until their threads are known. */
const mailsMax = 100_000
/** A thread that ended so long ago is done. */
const quietMs = 30 * 86_400_000
const folderPrefix = 'imap:'

const tooMany = {
  fr: 'Cette boîte a plus de 100 000 courriels. Exportez-la en plusieurs fichiers, par année.',
  en: 'This mailbox has more than 100,000 mails. Export it as several files, by year.',
}
const reasons = {
  staff: {
    fr: 'Ni l’expéditeur ni le destinataire n’est un client : ce fil est entre membres du personnel.',
    en: 'Neither the sender nor the recipient is a customer: this thread is between staff.',
  },
  sender: { fr: 'L’adresse du client n’est pas valide.', en: 'The address of the customer is not valid.' },
  blocked: { fr: 'Cet expéditeur est bloqué ici.', en: 'This sender is blocked here.' },
  known: { fr: 'Ce courriel est déjà dans une demande.', en: 'This mail is already in a request.' },
}

type StaffMember = { id: number | null; name: string }
/** One mail with the facts that follow from its thread. */
type Message = {
  mail: IncomingMail
  id: string
  date: Date
  author: Person
  staff: StaffMember | null
  customer: Person
  /** Message-ID of the first mail of its thread, by which the request is found. */
  first: string
  /** When the thread ended, and whether the customer wrote last. */
  last: { date: Date; isCustomer: boolean }
}

async function findStaff({ db, config }: ImportContext, more: string) {
  const staff = new Map<string, StaffMember>()
  const add = (address: string | undefined, member: StaffMember) => {
    if (address) staff.set(address.trim().toLowerCase(), member)
  }
  for (const address of [config.mailFrom, config.mailInbox, ...more.split(/[\s,;]+/)]) add(address, { id: null, name: '' })
  const rows = await db.select({ id: users.id, email: users.email, name: users.displayName }).from(users)
  for (const { id, email, name } of rows) add(email, { id, name })
  return staff
}

const openSource = ({ path, context }: ImportSource) =>
  path.startsWith(folderPrefix) ? openMailFolder(context.config.imapUrl, path.slice(folderPrefix.length)) : openMailFile(path)

async function* readMails(source: ImportSource): AsyncGenerator<SourceEntry | LeftOut> {
  const opened = await openSource(source)
  const reader = createMailReader()
  source.closers.push(reader.close, opened.close)
  const staff = await findStaff(source.context, source.map[staffChoice] ?? '')
  const threads = createThreads((email) => staff.has(email.toLowerCase()))
  let at = 0
  for await (const found of opened.list()) {
    at += 1
    const leftOut = threads.add(found, at)
    if (leftOut) yield { leftOut }
    if (threads.count > mailsMax) throw new UnusableSource(tooMany)
  }
  for (const thread of threads.list()) for (const head of thread.mails) yield toEntry(head, thread, { staff, reader })
}

type Reading = { staff: ReadonlyMap<string, StaffMember>; reader: MailReader }

function toEntry(head: MailHead, { customer, mails: all }: Thread, { staff, reader }: Reading): SourceEntry {
  const { at, id, from, subject, date } = head
  const author = from.name || from.email
  const entry = {
    ...{ at: String(at), id, name: subject || author },
    // Equal for the same mail in every file, whatever thread contains it.
    values: { name: author, subject, date: date ?? '' },
    shown: [
      { label: 'From', text: [from.name, from.email && `<${from.email}>`].filter(Boolean).join(' ') },
      { label: 'Subject', text: subject },
      { label: 'Date', text: date ?? '' },
    ],
    size: head.mail.size,
  }
  if (!customer) return { ...entry, refused: reasons.staff }
  const [first = head] = all
  const last = all.at(-1) ?? head
  const load = async (): Promise<Message> => {
    const mail = await reader.read(head.mail.size, head.mail.read)
    const dateOf = (one: MailHead) => new Date(one.date ?? first.date ?? Date.now())
    const end = { date: dateOf(last), isCustomer: !staff.has(last.from.email.toLowerCase()) }
    const author = { name: mail.fromName || from.name || from.email, email: from.email }
    const member = staff.get(from.email.toLowerCase()) ?? null
    return { mail, id, author, customer, date: dateOf(head), staff: member, first: first.id, last: end }
  }
  return { ...entry, load }
}

/** The request of a mail: by the first of its thread, and by those that it answers. */
async function findRequest(tx: Database, { mail, first }: Message) {
  const ids = [first, ...(mail.references.match(/<[^<>\s]{3,500}>/g) ?? []).slice(-20)]
  const [found] = await tx
    .select({ request: requests })
    .from(requestEntries)
    .innerJoin(requests, eq(requests.id, requestEntries.requestId))
    .where(inArray(requestEntries.messageId, ids))
    .limit(1)
  return found?.request ?? null
}

/** A thread that went quiet is done; otherwise whoever wrote last decides who is waited for. */
function stateOf({ last: { date, isCustomer } }: Message) {
  if (Date.now() - date.getTime() > quietMs) return { status: 'done' as const, doneAt: date, waitingSince: null }
  return isCustomer
    ? { status: 'open' as const, doneAt: null, waitingSince: null }
    : { status: 'waiting' as const, doneAt: null, waitingSince: date }
}

async function addRequest(tx: Database, message: Message) {
  const { mail, customer, date, last } = message
  const [row] = await tx
    .insert(requests)
    .values({
      ...{ kind: 'mail', reference: await takeReference(tx, 'mail'), name: cut(customer.name || customer.email, limits.name) },
      ...{ email: customer.email, subject: withoutPrefix(mail.subject), message: mail.text, language: mail.language },
      ...{ ...stateOf(message), createdAt: date, updatedAt: last.date },
    })
    .returning()
  if (!row) throw new Error('the request was not stored')
  return row
}

/** Each mail would have the text of its whole thread, which searches read, made anew: it is made once for all of them. */
const followTexts = (tx: Database, isOn: boolean) =>
  tx.execute(sql`select set_config('guichet.loads_backup', ${isOn ? '' : 'on'}, true)`)

async function storeMessage(tx: Database, message: Message) {
  const { mail, author, staff, date, id } = message
  const found = await findRequest(tx, message)
  const request = found ?? (await addRequest(tx, message))
  // What somebody changed here keeps its state.
  if (found?.version === 1 && found.updatedAt < message.last.date)
    await tx
      .update(requests)
      .set({ ...stateOf(message), updatedAt: message.last.date })
      .where(eq(requests.id, found.id))
  const { text, quoted, html, files } = mail
  const entry = await addEntry(
    tx,
    {
      ...{ requestId: request.id, kind: staff ? 'staff' : 'customer', channel: 'mail', userId: staff?.id ?? null },
      ...{ author: staff?.name || author.name, authorEmail: author.email, text, quoted, html, messageId: id },
      ...{ chatDue: false, createdAt: date },
    },
    files,
  )
  return { id: entry.id, requestId: request.id }
}

/** Removes mails from their threads, and the requests of which nothing is left. */
async function removeMails(tx: Database, ids: number[]) {
  const removed = await tx
    .delete(requestEntries)
    .where(inArray(requestEntries.id, ids))
    .returning({ requestId: requestEntries.requestId })
  const touched = [...new Set(removed.map(({ requestId }) => requestId))]
  if (touched.length === 0) return
  const isEmpty = sql`not exists (select 1 from ${requestEntries} where ${requestEntries.requestId} = ${requests.id})`
  await deleteRequests(tx, and(inArray(requests.id, touched), isEmpty))
}

/** Mail of a mailbox becomes requests with their threads and files; nobody is notified, and no goal starts. */
export const mailImporter: Importer = {
  kind: 'mail',
  label: { fr: 'Boîte de courriel', en: 'Mailbox' },
  hint: {
    fr: 'Fichier mbox, courriel .eml, ou zip de courriels .eml. Les fils deviennent des demandes, avec leurs dates et leurs pièces jointes.',
    en: 'Mbox file, .eml mail, or zip of .eml mails. Threads become requests, with their dates and attachments.',
  },
  accept: '.mbox,.mbx,.eml,.zip',
  areas: ['requests'],
  takesFolders: true,
  mailbox: {
    isSet: ({ imapUrl }) => imapUrl !== undefined,
    findFolders: ({ imapUrl }) => findMailFolders(imapUrl),
  },
  findSource: async ({ path }) => (path.startsWith(folderPrefix) ? path : null),
  // Kept for the next import, as the choice of a column is.
  findChoices: async ({ map }) => ({ choices: [], options: [], map }),
  read: readMails,
  writers: {
    mail: {
      area: 'requests',
      label: { fr: 'courriels, réunis en demandes', en: 'mails, joined into requests' },
      path: '/admin/demandes',
      async check(values, { db }) {
        const message = values as Message
        const { customer } = message
        if (!emailSchema.safeParse(customer.email).success) throw new Refused(reasons.sender)
        const isSender = eq(requestBlocks.email, customer.email.toLowerCase())
        if ((await db.$count(requestBlocks, isSender)) > 0) throw new Refused(reasons.blocked)
        return message
      },
      /** A mail that came in by itself, or that the product sent. */
      async findTaken(db, values) {
        const ids = (values as Message[]).map(({ id }) => id)
        const { messageId } = requestEntries
        const stored = await db.select({ messageId }).from(requestEntries).where(inArray(messageId, ids))
        const sent = await db.select({ messageId: mails.messageId }).from(mails).where(inArray(mails.messageId, ids))
        const taken = new Set([...stored, ...sent].map((one) => one.messageId))
        return ids.map((id) => (taken.has(id) ? reasons.known : null))
      },
      async create(tx, values) {
        const stored: { id: number; requestId: number }[] = []
        await followTexts(tx, false)
        for (const message of values as Message[]) stored.push(await storeMessage(tx, message))
        await followTexts(tx, true)
        // One by one: the embedded database answers nobody else during a statement.
        for (const id of new Set(stored.map(({ requestId }) => requestId)))
          await tx.execute(sql`select refresh_request_text(${id})`)
        return stored.map(({ id }) => id)
      },
      remove: removeMails,
      // An answer, a note or another state of its request is an edit of each of its mails.
      async findMarks(tx, ids) {
        const { id, requestId } = requestEntries
        const rows = await tx
          .select({ id, version: requests.version })
          .from(requestEntries)
          .innerJoin(requests, eq(requests.id, requestId))
          .where(inArray(id, ids))
        return new Map(rows.map((row) => [row.id, String(row.version)]))
      },
      async findNames(db, ids) {
        const { id, author } = requestEntries
        const { reference, subject } = requests
        const rows = await db
          .select({ id, author, reference, subject })
          .from(requestEntries)
          .innerJoin(requests, eq(requests.id, requestEntries.requestId))
          .where(inArray(id, ids))
        return new Map(rows.map((row) => [row.id, [row.reference, row.subject, row.author].filter(Boolean).join(', ')]))
      },
    },
  },
}
