import { spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ImapFlow } from 'imapflow'
import { freePort } from './free-port.ts'

const user = 'demandes'
const password = 'courriel-entrant'
/** Dovecot gives no mailbox to root. */
const nobody = 65_534

/** A real IMAP server (Dovecot, not as a daemon) on a free port, with one empty mailbox in a temporary folder. */
export async function startTestImap() {
  const root = mkdtempSync(join(tmpdir(), 'guichet-imap-'))
  const port = await freePort()
  const isRoot = userInfo().uid === 0
  const own = isRoot ? { uid: nobody, gid: nobody } : { uid: userInfo().uid, gid: userInfo().gid }
  const home = join(root, 'home')
  mkdirSync(home)
  for (const part of ['cur', 'new', 'tmp']) mkdirSync(join(home, 'Maildir', part), { recursive: true })
  chmodSync(root, 0o755)
  if (isRoot)
    for (const path of [home, join(home, 'Maildir'), ...['cur', 'new', 'tmp'].map((part) => join(home, 'Maildir', part))])
      chownSync(path, nobody, nobody)
  const config = join(root, 'dovecot.conf')
  const internal = isRoot ? '' : `default_internal_user = ${userInfo().username}\ndefault_login_user = ${userInfo().username}\n`
  writeFileSync(
    config,
    `base_dir = ${join(root, 'run')}
state_dir = ${join(root, 'state')}
log_path = ${join(root, 'log')}
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain
mail_location = maildir:${join(home, 'Maildir')}
first_valid_uid = 1
mail_max_userip_connections = 100
${internal}passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=${own.uid} gid=${own.gid} home=${home}
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
}
service anvil {
  chroot =
}
`,
  )
  const child = spawn('dovecot', ['-F', '-c', config], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const read = (chunk: Buffer) => (output += chunk.toString())
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  let isOver = false
  child.once('exit', () => (isOver = true))
  child.once('error', (error) => (output += error.message))
  for (let tries = 0; !(await isListening(port)); tries += 1) {
    if (isOver || tries > 200) throw new Error(`Dovecot did not start: ${output}`)
    await pause(50)
  }
  const auth = { user, pass: password }
  const open = async () => {
    const client = new ImapFlow({ host: '127.0.0.1', port, secure: false, auth, logger: false })
    await client.connect()
    return client
  }
  let numbered = 0
  return {
    url: `imap://${user}:${password}@127.0.0.1:${port}/INBOX`,
    /** Puts a mail into the inbox as a mail server delivers it: a file, moved there in one step. */
    async deliver(source: string | Uint8Array) {
      const client = await open()
      await client.append('INBOX', Buffer.from(source))
      await client.logout()
    },
    /** Many at once, as files; the inbox need not be open. */
    deliverAll(sources: Iterable<string>, receivedAt = new Date()) {
      for (const source of sources) {
        numbered += 1
        const name = `${1_700_000_000 + numbered}.M${numbered}P1.test`
        const file = join(home, 'Maildir', 'tmp', name)
        writeFileSync(file, source)
        utimesSync(file, receivedAt, receivedAt)
        if (isRoot) chownSync(file, nobody, nobody)
        renameSync(file, join(home, 'Maildir', 'new', name))
      }
    },
    /** Deletes the mails of the inbox that have a subject, as somebody who read them there. */
    async remove(subject: string) {
      const client = await open()
      await client.mailboxOpen('INBOX')
      await client.messageDelete({ subject })
      await client.logout()
    },
    /** Subjects and flags of the mails in a folder. */
    async list(path: string) {
      const client = await open()
      try {
        // The server has its own sign between the names of folders.
        const folder = (await client.list()).find((one) => one.path === path.replaceAll('/', one.delimiter))
        if (!folder) return []
        await client.mailboxOpen(folder.path, { readOnly: true })
        const found = []
        for await (const mail of client.fetch('1:*', { envelope: true, flags: true }))
          found.push({ subject: mail.envelope?.subject ?? '', flags: [...(mail.flags ?? [])] })
        return found
      } finally {
        await client.logout()
      }
    },
    async stop() {
      const gone = new Promise<void>((resolve) => (isOver ? resolve() : child.once('exit', () => resolve())))
      child.kill('SIGTERM')
      await gone
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function isListening(port: number) {
  return new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
