// Worker thread: reads an untrusted archive.
import { serveTask } from '../background/limited-worker.ts'
import type { ArchiveToRead } from './check-archive.ts'
import { readArchive } from './check-archive.ts'

await serveTask(({ file, identity }: ArchiveToRead) => readArchive(file, identity))
