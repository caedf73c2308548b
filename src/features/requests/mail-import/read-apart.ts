import type { LimitedWorker } from '#src/server/background/limited-worker.ts'
import { openWorker, WorkerLimit } from '#src/server/background/limited-worker.ts'
import { Refused } from '#src/features/content/server/importing.ts'
import type { IncomingMail } from '../server/mail-in.ts'
import { mailMaxBytes, refuseHostile, TooMuch } from '../server/take-mail.ts'

const tooLarge = { fr: 'Ce courriel dépasse 25 Mo.', en: 'This mail is larger than 25 MB.' }
const tooMuch = {
  fr: 'Ce courriel demande trop de temps ou de mémoire pour être lu.',
  en: 'This mail takes too much time or memory to be read.',
}
const broken = { fr: 'Ce courriel ne se lit pas.', en: 'This mail cannot be read.' }

export type MailReader = {
  read: (size: number, load: () => Promise<Buffer>) => Promise<IncomingMail>
  close: () => Promise<void>
}

/** Reads mails one after the other in one worker thread, with the limits of a mail that comes in. */
export function createMailReader(): MailReader {
  const file = import.meta.url.endsWith('.ts') ? '../server/mail-worker.ts' : './mail-worker.js'
  let worker: LimitedWorker<IncomingMail> | null = null
  return {
    async read(size, load) {
      if (size > mailMaxBytes) throw new Refused(tooLarge)
      const source = await load()
      try {
        refuseHostile(source)
        worker ??= openWorker<IncomingMail>(new URL(file, import.meta.url), { timeMs: 60_000, memoryMb: 600 })
        return await worker.run(source)
      } catch (error) {
        // A worker that went over its limits is gone.
        await worker?.close()
        worker = null
        throw new Refused(error instanceof TooMuch || error instanceof WorkerLimit ? tooMuch : broken)
      }
    },
    close: async () => worker?.close(),
  }
}
