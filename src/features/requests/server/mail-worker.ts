import { serveTask } from '#src/server/background/limited-worker.ts'
import { readMail } from './mail-in.ts'

void serveTask((source: Uint8Array) => readMail(source))
