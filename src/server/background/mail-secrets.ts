import { and, isNull, like, or, sql } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { decrypt, encrypt } from '../secrets/encryption.ts'
import { mails } from './mail-table.ts'

type Texts = { body: string; html?: string | null }
type StoredMail = typeof mails.$inferSelect

/** Placeholder in a stored mail for a secret that only its recipient may read. */
export const secretMarker = '[secret]'

/** Columns of a mail with a secret: the encrypted secret, and the texts with the placeholder. */
export function hideSecret(db: Database, messageId: string, { body, html }: Texts, secret: string) {
  const place = { column: 'mails.secret', row: messageId } as const
  return {
    body: body.replaceAll(secret, secretMarker),
    html: html?.replaceAll(secret, secretMarker) ?? null,
    secret: encrypt(db, place, secret),
  }
}

/** The texts of a mail as they are sent, with the secret. */
export function revealSecret(db: Database, { messageId, body, html, headers: { unsubscribe }, secret }: StoredMail) {
  if (secret === null) return { body, html, unsubscribe }
  const clear = decrypt(db, { column: 'mails.secret', row: messageId }, secret)
  const reveal = (text: string) => text.replaceAll(secretMarker, clear)
  return { body: reveal(body), html: html === null ? null : reveal(html), unsubscribe: unsubscribe && reveal(unsubscribe) }
}

/** Encrypts the password links of waiting mails that an earlier version stored in clear. */
export async function hideOldLinks(tx: Database) {
  const link = /\/admin\/password#([\w-]{20,})/
  const found = await tx
    .select()
    .from(mails)
    .where(and(isNull(mails.secret), or(like(mails.body, '%/admin/password#%'), like(mails.html, '%/admin/password#%'))))
  for (const mail of found) {
    const token = link.exec(mail.body)?.[1] ?? link.exec(mail.html ?? '')?.[1]
    if (!token) continue
    const { secret, ...texts } = hideSecret(tx, mail.messageId, mail, token)
    await tx
      .update(mails)
      .set({ ...texts, secret: mail.state === 'sent' ? null : secret })
      .where(sql`${mails.id} = ${mail.id}`)
  }
}
