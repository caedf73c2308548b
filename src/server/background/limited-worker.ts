import { parentPort, Worker, workerData } from 'node:worker_threads'

type Limits = {
  timeMs: number
  /** Heap, buffers and WebAssembly together. */
  memoryMb: number
}

/** Thrown when a task exceeded its time or memory. */
export class WorkerLimit extends Error {
  readonly limit: 'time' | 'memory'
  constructor(limit: WorkerLimit['limit']) {
    super(`a worker exceeded its ${limit}`)
    this.limit = limit
  }
}

const checkEveryMs = 100
const megabyte = 1024 * 1024

/**
 * Runs one task of `serveTask` in a worker thread, for untrusted input: it cannot block the event loop, exceed its time or
 * memory, or read the environment with its secrets.
 */
export async function runInWorker<Result>(file: URL, input: unknown, { timeMs, memoryMb }: Limits): Promise<Result> {
  const worker = new Worker(file, {
    workerData: input,
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  })
  // A decoder logs each broken frame of a broken file.
  worker.stdout.resume()
  worker.stderr.resume()
  const timers: NodeJS.Timeout[] = []
  try {
    return await new Promise<Result>((resolve, reject) => {
      timers.push(setTimeout(() => reject(new WorkerLimit('time')), timeMs))
      timers.push(setInterval(() => void checkMemory(), checkEveryMs))
      // `resourceLimits` limits the heap only, not buffers and WebAssembly.
      const checkMemory = async () => {
        const used = await worker.getHeapStatistics().catch(() => null)
        if (used && used.used_heap_size + used.external_memory > memoryMb * megabyte) reject(new WorkerLimit('memory'))
      }
      worker.once('message', (result: Result) => resolve(result))
      worker.once('error', (error: NodeJS.ErrnoException) => {
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new WorkerLimit('memory') : error)
      })
      worker.once('exit', (code) => reject(new Error(`a worker ended with ${code} and no result`)))
    })
  } finally {
    for (const timer of timers) clearInterval(timer)
    await worker.terminate()
  }
}

/** Called in the worker file: runs the work with its input. */
export async function serveTask(work: (input: never) => Promise<unknown>) {
  parentPort?.postMessage(await work(workerData as never), [])
}

/** Limits how many tasks run at once; the others wait. */
export function createConcurrencyLimit(most: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
