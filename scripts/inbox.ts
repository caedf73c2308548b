// `npm run inbox -- check`: tries the mailbox of IMAP_URL and says in one sentence what is wrong.
import { checkInbox } from '../src/features/requests/server/mailbox.ts'
import { ConfigError, readConfig } from '#src/server/config.ts'

async function run() {
  if (process.argv.slice(2).join(' ') !== 'check') {
    process.stderr.write('Usage: npm run inbox -- check\n')
    process.exitCode = 2
    return
  }
  const { imapUrl } = readConfig(process.env)
  const { ok, message } = imapUrl ? await checkInbox(imapUrl) : { ok: false, message: 'IMAP_URL is not set: no mailbox is read.' }
  process[ok ? 'stdout' : 'stderr'].write(`${message}\n`)
  process.exitCode = ok ? 0 : 1
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String(error)}\n`)
  process.exitCode = 1
})
