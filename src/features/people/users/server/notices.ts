import { company } from '#company/company.ts'
import { translator } from '#src/lib/language/texts.ts'
import type { Mailer } from '#src/server/background/mail.ts'
import type { Database } from '#src/server/database/database.ts'
import type { User } from '../../contract.ts'
import { mailTexts } from '../texts.ts'

type Recipient = Pick<User, 'display_name' | 'username' | 'email'>
export type Sender = { mailer: Pick<Mailer, 'enqueue'> }
type Change = 'password' | 'username' | 'totpOn' | 'totpOff' | 'codesRenewed' | 'chancesSpent'

const texts = {
  password: 'passwordChanged',
  username: 'usernameChanged',
  totpOn: 'totpTurnedOn',
  totpOff: 'totpTurnedOff',
  codesRenewed: 'codesRenewed',
  chancesSpent: 'chancesSpent',
} as const

/** Notifies users by email of changes to their sign-in, so that they notice a takeover. */
export async function notifyAccountChange(app: Sender, tx: Database, user: Recipient, change: Change) {
  await notify(app, tx, user, texts[change])
}

/** Mails both the old and the new address: one of them reaches the owner of the account. */
export async function notifyEmailChange(app: Sender, tx: Database, before: Recipient, email: string) {
  await notify(app, tx, before, 'emailChanged')
  await notify(app, tx, { ...before, email }, 'emailAdded')
}

async function notify(app: Sender, tx: Database, user: Recipient, body: Key) {
  if (user.email === '') return
  const values = {
    name: user.display_name,
    username: user.username,
    company: company.name,
    security: company.people.securityContact.email,
  }
  await sendInBothLanguages(app, tx, user.email, 'noticeSubject', body, values)
}

type Key = keyof (typeof mailTexts)['fr']

/** One email in French, then English: the language of the recipient is unknown. */
export async function sendInBothLanguages(
  app: Sender,
  tx: Database,
  to: string,
  subject: Key,
  body: Key,
  values: Record<string, string>,
  /** The secret in the texts, if any. */
  secret?: string,
) {
  const [fr, en] = [translator(mailTexts, 'fr'), translator(mailTexts, 'en')]
  await app.mailer.enqueue(tx, {
    to,
    subject: `${fr(subject, values)} / ${en(subject, values)}`,
    body: `${fr(body, values)}\n\n---\n\n${en(body, values)}\n`,
    ...(secret && { secret }),
  })
}
