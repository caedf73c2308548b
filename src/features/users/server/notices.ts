import { company } from '#company/company.ts'
import { translator } from '#src/lib/texts.ts'
import type { Database } from '#src/server/database/database.ts'
import type { App } from '#src/server/types.ts'
import type { User } from '../contract.ts'
import { mailTexts } from '../texts.ts'

type Recipient = Pick<User, 'display_name' | 'username' | 'email'>
type Change = 'password' | 'email' | 'totpOn' | 'totpOff' | 'chancesSpent'

const texts = {
  password: 'passwordChanged',
  email: 'emailChanged',
  totpOn: 'totpTurnedOn',
  totpOff: 'totpTurnedOff',
  chancesSpent: 'chancesSpent',
} as const

/** Tells people by mail what changed in how they sign in: who did not do it themselves hears of it. */
export async function tellAccountChange(app: App, tx: Database, user: Recipient, change: Change) {
  if (user.email === '') return
  const values = {
    name: user.display_name,
    username: user.username,
    company: company.name,
    security: company.people.securityContact.email,
  }
  await sendInBothLanguages(app, tx, user.email, 'noticeSubject', texts[change], values)
}

type Key = keyof (typeof mailTexts)['fr']

/** One mail with the French, then the English: nobody knows which one the person reads. */
export async function sendInBothLanguages(
  app: App,
  tx: Database,
  to: string,
  subject: Key,
  body: Key,
  values: Record<string, string>,
  /** What opens the account, where the texts hold it. */
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
