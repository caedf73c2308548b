// Worker thread: reads an untrusted document.
import { serveTask } from '#src/server/background/limited-worker.ts'
import { readDocumentKind } from './inspect-document.ts'

await serveTask((bytes: Uint8Array) => readDocumentKind(bytes))
