import type { ImapFlow } from 'imapflow'
import { UnusableSource } from '#src/features/content/server/importing.ts'
import { openMailbox } from '../server/mailbox.ts'
import type { FoundMail, MailSource } from './mail-files.ts'

const noMailbox = {
  fr: 'IMAP_URL n’est pas défini : il n’y a pas de boîte à lire.',
  en: 'IMAP_URL is not set: there is no mailbox to read.',
}
const unreachable = {
  fr: 'La boîte de IMAP_URL ne peut pas être lue. Essayez : npx guichet inbox check',
  en: 'The mailbox of IMAP_URL cannot be read. Try: npx guichet inbox check',
}
const unreadable = (folder: string) => ({
  fr: `Le dossier ${folder} ne peut pas être lu. Essayez : npx guichet inbox check`,
  en: `The folder ${folder} cannot be read. Try: npx guichet inbox check`,
})

/** A folder of the mailbox of `IMAP_URL`, which is only read: nothing is marked or moved. */
export async function openMailFolder(imapUrl: string | undefined, name: string): Promise<MailSource> {
  if (!imapUrl) throw new UnusableSource(noMailbox)
  const folder = name || openMailbox(imapUrl).mailbox
  let client: ImapFlow | null = null
  const connect = async () => {
    if (client?.usable) return client
    client = openMailbox(imapUrl).client
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.mailboxOpen(folder, { readOnly: true })
    } catch (cause) {
      client.close()
      throw new UnusableSource(unreadable(folder), { cause })
    }
    return client
  }
  await connect()
  return {
    close: async () => client?.close(),
    async *list(): AsyncGenerator<FoundMail> {
      const opened = await connect()
      if (opened.mailbox && opened.mailbox.exists === 0) return
      // Heads first: another command cannot run while their list is read.
      const found = await opened.fetchAll('1:*', { uid: true, size: true, headers: true })
      for (const { uid, size = 0, headers } of found)
        yield {
          size,
          head: headers ?? Buffer.alloc(0),
          read: async () => {
            const mail = await (await connect()).fetchOne(String(uid), { source: true }, { uid: true })
            if (!mail || !mail.source) throw new UnusableSource(unreadable(folder))
            return mail.source
          },
        }
    },
  }
}

/** The folders of the mailbox that hold mail, with how many mails each has. */
export async function findMailFolders(imapUrl: string | undefined) {
  if (!imapUrl) throw new UnusableSource(noMailbox)
  const { client } = openMailbox(imapUrl)
  client.on('error', () => undefined)
  try {
    await client.connect()
    const folders = await client.list({ statusQuery: { messages: true } })
    return folders
      .filter(({ flags }) => !flags.has('\\Noselect') && !flags.has('\\NonExistent'))
      .map(({ path, status }) => ({ name: path, count: status?.messages ?? 0 }))
  } catch (cause) {
    throw new UnusableSource(unreachable, { cause })
  } finally {
    client.close()
  }
}
