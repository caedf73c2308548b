import { eq } from 'drizzle-orm'
import { company } from '#company/company.ts'
import { translator } from '#src/lib/texts.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { Invalid, NotFound } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import { users } from '#src/features/people/users/server/table.ts'
import type { TestMail } from '../../console-contract.ts'
import { mailTexts } from '../../mail-texts.ts'

const perPerson = { points: 5, seconds: 600 }

/** Writes to a technician by the very way an escalation takes. */
export async function sendTestMail(app: App, userId: number): Promise<TestMail> {
  await app.limits.take('chat-test-mail', String(userId), perPerson)
  const email = await findAddress(app, userId)
  if (email === '') throw new Invalid('Your profile has no e-mail address.')
  const [fr, en] = [translator(mailTexts, 'fr'), translator(mailTexts, 'en')]
  const values = { company: company.name }
  const id = await app.db.transaction((tx) =>
    app.mailer.enqueue(tx, {
      to: email,
      subject: `${fr('testSubject', values)} / ${en('testSubject', values)}`,
      body: `${fr('test', values)}\n\n---\n\n${en('test', values)}\n`,
    }),
  )
  return findTestMail(app, userId, id)
}

/** What became of it; only of a mail to the person themselves. */
export async function findTestMail(app: App, userId: number, id: number): Promise<TestMail> {
  const [mail] = await app.db.select().from(mails).where(eq(mails.id, id))
  if (!mail || mail.recipient !== (await findAddress(app, userId))) throw new NotFound('This mail does not exist.')
  return { id_mail: mail.id, recipient: mail.recipient, state: mail.state, can_send: app.mailer.canSend }
}

async function findAddress(app: App, userId: number) {
  const [user] = await app.db.select({ email: users.email }).from(users).where(eq(users.id, userId))
  return user?.email ?? ''
}
