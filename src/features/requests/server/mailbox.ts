import { ImapFlow } from 'imapflow'
import type { LocalizedText } from '#src/lib/form-result.ts'
import { translateAll } from '#src/lib/form-result.ts'
import type { RunCommand } from '#src/server/command-line/command.ts'
import { LocalizedError } from '#src/server/localized-error.ts'
import { mailboxFaultTexts, unreadableTexts } from '../server-texts.ts'

/** Opens the mailbox of an address such as `imaps://user:password@host:993/INBOX`. */
export function openMailbox(address: string) {
  const url = new URL(address)
  const secure = url.protocol === 'imaps:'
  return {
    mailbox: decodeURIComponent(url.pathname.slice(1)) || 'INBOX',
    client: new ImapFlow({
      host: url.hostname,
      port: Number(url.port) || (secure ? 993 : 143),
      secure,
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
      logger: false,
      disableAutoIdle: true,
      connectionTimeout: 15_000,
      greetingTimeout: 15_000,
      socketTimeout: 120_000,
    }),
  }
}

export const run: RunCommand = async ({ readConfig }) => {
  const { imapUrl } = readConfig()
  if (!imapUrl) {
    throw new LocalizedError({
      fr: 'IMAP_URL n’est pas défini : aucune boîte n’est lue.',
      en: 'IMAP_URL is not set: no mailbox is read.',
    })
  }
  const { ok, text } = await checkInbox(imapUrl)
  if (!ok) throw new LocalizedError(text)
  return { text, json: { ok } }
}

/** Tries the mailbox once and returns the result in one sentence. */
export async function checkInbox(address: string): Promise<{ ok: boolean; text: LocalizedText }> {
  const { client, mailbox } = openMailbox(address)
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { exists } = await client.mailboxOpen(mailbox, { readOnly: true })
    const text = {
      fr: `La boîte ${mailbox} est lisible : ${exists} courriels.`,
      en: `The mailbox ${mailbox} can be read: ${exists} mails.`,
    }
    return { ok: true, text }
  } catch (error) {
    const { key, detail } = findFault(error, mailbox)
    return { ok: false, text: translateAll(mailboxFaultTexts, key, { detail }) }
  } finally {
    client.close()
  }
}

type Fault = { key: keyof typeof mailboxFaultTexts.fr; detail: string }

function findFault(error: unknown, mailbox: string): Fault {
  const {
    code = '',
    message = '',
    authenticationFailed,
    responseText,
    mailboxMissing,
  } = error as {
    code?: string
    message?: string
    authenticationFailed?: boolean
    responseText?: string
    mailboxMissing?: boolean
  }
  const fault = (key: Fault['key'], detail = '') => ({ key, detail })
  if (authenticationFailed) return fault('refused')
  if (mailboxMissing || /NONEXISTENT|doesn't exist|not found/i.test(responseText ?? '')) return fault('missing', mailbox)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return fault('unknownHost')
  if (code === 'ECONNREFUSED') return fault('closed')
  if (/TIMEOUT/i.test(code)) return fault('silent')
  if (/CERT|SELF_SIGNED|ALTNAME/i.test(code)) return fault('certificate')
  if (/SSL|TLS|WRONG_VERSION/i.test(code)) return fault('plain')
  return fault('other', responseText ?? (message || code))
}

/** What is wrong with the mailbox, as it is stored: the health page shows it in the language of its reader. */
export function noteFault(error: unknown, mailbox: string) {
  const { key, detail } = findFault(error, mailbox)
  return `${key} ${detail}`.trim()
}

export function describeFault(stored: string): LocalizedText {
  const [key = '', ...detail] = stored.split(' ')
  // A sentence that an earlier version stored.
  if (!Object.hasOwn(mailboxFaultTexts.fr, key)) return { fr: stored, en: stored }
  return translateAll(mailboxFaultTexts, key as Fault['key'], { detail: detail.join(' ') })
}

/** Why a mail could not be read, by the reason that is stored with it. */
export function describeUnreadable(reason: string): LocalizedText {
  if (!Object.hasOwn(unreadableTexts.fr, reason)) return { fr: reason, en: reason }
  return translateAll(unreadableTexts, reason as keyof typeof unreadableTexts.fr)
}
