import type { Mail } from '#src/server/background/mail.ts'
import { isolateDirection } from '#src/lib/text/plain-text.ts'
import { translator } from '#src/lib/language/texts.ts'
import { mailTexts } from '../mail-texts.ts'
import type { requests } from './table.ts'

type RequestFacts = Pick<
  typeof requests.$inferSelect,
  'kind' | 'chatId' | 'reference' | 'name' | 'email' | 'phone' | 'subject' | 'message' | 'language'
>

/** The mail that tells the staff of a request; their answer goes to the visitor. */
export function writeRequestMail(request: RequestFacts, to: string, address: string | null): Mail {
  const t = translator(mailTexts, request.language)
  const { reference, email, phone } = request
  const [name, subject] = [isolateDirection(request.name), isolateDirection(request.subject)]
  const message = request.message.split('\n').map(isolateDirection).join('\n')
  const origin = request.chatId === null ? request.kind : 'fromChat'
  const facts = [
    t('reference', { reference }),
    t('name', { name }),
    t('email', { email }),
    phone && t('phone', { phone }),
    t('language'),
    subject && t('subject', { subject }),
  ].filter(Boolean)
  const foot = [t('answer'), address && t('link', { address })].filter(Boolean)
  return {
    to,
    replyTo: email,
    subject: t(`${origin}Subject`, { reference, subject, name }),
    body: [t(`${origin}Intro`), facts.join('\n'), message, `--\n${foot.join('\n')}`].join('\n\n') + '\n',
  }
}
