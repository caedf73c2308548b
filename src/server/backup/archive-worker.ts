// Worker thread: reads an untrusted archive.
import { serveTask } from '../background/limited-worker.ts'
import { readArchive } from './check-archive.ts'

await serveTask((file: string) => readArchive(file))
