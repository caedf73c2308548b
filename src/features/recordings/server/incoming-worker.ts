// Runs in a worker thread: everything of an incoming file that is decoded or parsed.
import { serveTask } from '#src/server/background/limited-worker.ts'
import type { WorkerResult, IncomingTask } from './audio.ts'
import { ImportRefusal } from './refusal.ts'

await serveTask(async (task: IncomingTask): Promise<WorkerResult<unknown>> => {
  try {
    return { result: await run(task) }
  } catch (error) {
    if (error instanceof ImportRefusal) return { refusal: error.reason }
    throw error
  }
})

async function run(task: IncomingTask) {
  // Each loads only what it needs: a worker lives for one file.
  if ('measure' in task) return (await import('./sound.ts')).measureSound(task.measure)
  const { readCsvSidecar } = await import('./call-facts.ts')
  const calls = readCsvSidecar(task.table)
  return new Map(task.names.flatMap((name) => (calls.has(name) ? [[name, calls.get(name)]] : [])))
}
