// Worker thread that decodes and parses incoming files.
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
  // Loaded on demand: a worker handles only one file.
  if ('measure' in task) return (await import('./sound.ts')).measureSound(task.measure)
  const { readCsvSidecar } = await import('./call-facts.ts')
  const calls = readCsvSidecar(task.table)
  return new Map(task.names.flatMap((name) => (calls.has(name) ? [[name, calls.get(name)]] : [])))
}
