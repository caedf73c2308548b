import { eq } from 'drizzle-orm'
import { translator } from '#src/lib/language/texts.ts'
import { isolateDirection } from '#src/lib/text/plain-text.ts'
import type { Database } from '#src/server/database/database.ts'
import type { App } from '#src/server/types.ts'
import { users } from '#src/features/people/server/table.ts'
import { mailTexts } from '../server-texts.ts'
import type { FileContent } from './entries.ts'
import { addEntry, addEvent } from './entries.ts'
import { addChangeEvent, nextState } from './follow-up.ts'
import { recipientOf } from './mail-out.ts'
import { createRequest } from './service.ts'
import { findSettings } from './settings.ts'
import type { requestEntries } from './table.ts'
import { requestLinks, requests } from './table.ts'

type Context = Pick<App, 'mailer' | 'config' | 'findHours'>
type RequestRow = typeof requests.$inferSelect
type Message = Pick<
  typeof requestEntries.$inferInsert,
  'author' | 'authorEmail' | 'text' | 'quoted' | 'html' | 'messageId' | 'clientId' | 'createdAt'
> & {
  channel: 'mail' | 'page' | 'chat'
  files: FileContent[]
}

const dayMs = 86_400_000

/**
 * Adds what a customer wrote to a request, which it opens again; where the request ended too long ago, it becomes a new one
 * that is linked. The caller holds the lock of the row.
 */
export async function receiveFromCustomer(tx: Database, context: Context, found: RequestRow, { files, ...message }: Message) {
  const row = await followMerge(tx, found)
  const { reopen_days: days } = await findSettings(tx)
  const now = new Date()
  if (!reopens(row, days, now)) return startAgain(tx, context, row, message, files)
  const entry = await addEntry(tx, { ...message, requestId: row.id, kind: 'customer' }, files)
  const status = row.status === 'done' || row.status === 'waiting' ? 'open' : row.status
  const next = nextState(row, status, await context.findHours(tx), now)
  await tx
    .update(requests)
    .set({ ...next, version: row.version + 1, updatedAt: now })
    .where(eq(requests.id, row.id))
  await addChangeEvent(tx, { userId: null, name: message.author }, row, { ...row, ...next })
  await notifyOfAnswer(tx, context, row, message)
  return { requestId: row.id, entryId: entry.id, isNew: false }
}

/** Whether a message of the customer still opens the request again. */
export const reopens = ({ doneAt }: Pick<RequestRow, 'doneAt'>, days: number, now: Date) =>
  doneAt === null || doneAt.getTime() + days * dayMs >= now.getTime()

/** The request that this one was merged into, or itself. */
export async function followMerge(tx: Database, row: RequestRow) {
  let current = row
  while (current.mergedIntoId !== null) {
    const [target] = await tx.select().from(requests).where(eq(requests.id, current.mergedIntoId)).for('update')
    if (!target) break
    current = target
  }
  return current
}

async function startAgain(
  tx: Database,
  context: Context,
  row: RequestRow,
  message: Omit<Message, 'files'>,
  files: FileContent[],
) {
  const { kind, name, firstName, lastName, email, phone, subject, language } = row
  const request = {
    kind: message.channel === 'mail' ? ('mail' as const) : kind,
    name,
    firstName,
    lastName,
    email,
    phone,
    subject,
    language,
  }
  const { channel, quoted, html, messageId, clientId } = message
  const first = { channel, quoted, html, messageId, clientId, files, continues: row.reference }
  const made = await createRequest(tx, context, { ...request, message: message.text }, first)
  await tx.insert(requestLinks).values({ requestId: made.id, otherId: row.id, continues: true })
  await addEvent(tx, row.id, { userId: null, name: message.author }, { linked: made.reference })
  return { requestId: made.id, entryId: made.entryId, isNew: true }
}

/** Mails the one who has the request, or else the address that gets the requests. */
async function notifyOfAnswer(
  tx: Database,
  { config, mailer }: Context,
  row: RequestRow,
  { author, text }: Pick<Message, 'author' | 'text'>,
) {
  const [assignee] =
    row.assignedTo === null ? [] : await tx.select({ email: users.email }).from(users).where(eq(users.id, row.assignedTo))
  const t = translator(mailTexts, row.language)
  const values = { reference: row.reference, name: isolateDirection(author) }
  const address = config.publicUrl ? t('link', { address: `${config.publicUrl}/admin/demandes/${row.id}` }) : ''
  await mailer.enqueue(tx, {
    to: assignee?.email || recipientOf(config, row.kind),
    subject: t('repliedSubject', values),
    body: `${[t('repliedIntro', values), text.split('\n').map(isolateDirection).join('\n'), address].filter(Boolean).join('\n\n')}\n`,
  })
}
