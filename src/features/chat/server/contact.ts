import { and, eq } from 'drizzle-orm'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { Database } from '#src/server/database/database.ts'
import { NotFound } from '#src/server/problems.ts'
import type { VisitorChange } from '../contract.ts'
import { chats } from './table.ts'
import { chatThread } from './transcript.ts'

const columnOf = { name: 'clientName', email: 'clientEmail', business: 'clientBusiness' } as const

/**
 * Corrects how the visitor of a conversation is named and reached; mail that has not left goes to the new address. The audit log
 * alone keeps the former values, until the person or the conversation is erased.
 */
export async function correctVisitor(db: Database, author: Author, id: number, { contact, reason }: VisitorChange) {
  await db.transaction(async (tx) => {
    const [row] = await tx.select().from(chats).where(eq(chats.id, id)).for('update')
    if (!row) throw new NotFound('This conversation does not exist.')
    const parts = ['name', 'email', 'business'] as const
    const corrected = parts.filter((part) => contact[part] !== row[columnOf[part]])
    if (corrected.length === 0) return
    const { name: clientName, email: clientEmail, business: clientBusiness } = contact
    await tx.update(chats).set({ clientName, clientEmail, clientBusiness }).where(eq(chats.id, id))
    const isUnsent = and(eq(mails.thread, chatThread(id)), eq(mails.state, 'waiting'))
    await tx.update(mails).set({ recipient: clientEmail }).where(isUnsent)
    await recordChange(tx, author, {
      area: 'chat',
      action: 'rectify',
      entryId: id,
      before: Object.fromEntries(corrected.map((part) => [part, row[columnOf[part]]])),
      after: { corrected, ...Object.fromEntries(corrected.map((part) => [part, contact[part]])), reason },
      about: [row.clientEmail, clientEmail],
    })
  })
}
