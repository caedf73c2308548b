import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import type { Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** `at`: when its text was complete, before it was acknowledged. */
export type Received = Email & { envelope: { from: string; to: string[] }; at: number }
/** How the server responds: a number is the SMTP code with which it rejects every message. */
type Mood = 'accept' | number

/** An SMTP server on a free port that stores what it receives. */
export async function startTestSmtp() {
  const received: Received[] = []
  let mood: Mood = 'accept'
  let attempts = 0
  let connections = 0
  let pending = Promise.resolve()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onConnect(_session, callback) {
      connections += 1
      callback()
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        attempts += 1
        if (mood !== 'accept') {
          const refusal = Object.assign(new Error('refused by the test'), { responseCode: mood })
          return void pending.then(() => callback(refusal))
        }
        const { mailFrom, rcptTo } = session.envelope
        const at = Date.now()
        PostalMime.parse(Buffer.concat(chunks))
          .then((mail) => {
            const envelope = { from: mailFrom ? mailFrom.address : '', to: rcptTo.map((one) => one.address) }
            received.push({ ...mail, at, envelope })
            return pending
          })
          .then(
            () => callback(),
            (error: Error) => callback(error),
          )
      })
    },
  })
  // A killed product resets its connection.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    attempts: () => attempts,
    connections: () => connections,
    setMood: (next: Mood) => {
      mood = next
    },
    /** Receives messages without answering them until the returned function is called. */
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      pending = promise
      return resolve
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
