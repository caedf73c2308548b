// Runs in a worker thread: reads an archive that anybody may have made.
import { serveTask } from '../background/limited-worker.ts'
import { readArchive } from './check-archive.ts'

await serveTask((file: string) => readArchive(file))
