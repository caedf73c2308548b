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
/** Instead of an input: the worker takes one after the other. */
const many = 'many'
const megabyte = 1024 * 1024

/**
 * Runs one task of `serveTask` in a worker thread, for untrusted input: it cannot block the event loop, exceed its time or
 * memory, or read the environment with its secrets.
 */
export async function runInWorker<Result>(file: URL, input: unknown, limits: Limits): Promise<Result> {
  const worker = startWorker(file, input, limits)
  try {
    return await awaitMessage<Result>(worker, limits)
  } finally {
    await worker.terminate()
  }
}

export type LimitedWorker<Result> = { run: (input: unknown) => Promise<Result>; close: () => Promise<void> }

/** The same for many inputs, one after the other; the limits are those of each. After `WorkerLimit` it is closed. */
export function openWorker<Result>(file: URL, limits: Limits): LimitedWorker<Result> {
  const worker = startWorker(file, many, limits)
  return {
    async run(input) {
      worker.postMessage(input, [])
      const answer = await awaitMessage<{ result: Result } | { error: string }>(worker, limits)
      if ('error' in answer) throw new Error(answer.error)
      return answer.result
    },
    close: async () => void (await worker.terminate()),
  }
}

function startWorker(file: URL, input: unknown, { memoryMb }: Limits) {
  const worker = new Worker(file, {
    workerData: input,
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 12, stackSizeMb: 4 },
  })
  // It may run out of memory while it is being stopped. Without a listener that would be an uncaught exception, and the
  // event `exit`, which `terminate` waits for, would never come.
  worker.on('error', () => undefined)
  // A decoder logs each broken frame of a broken file.
  worker.stdout.resume()
  worker.stderr.resume()
  return worker
}

async function awaitMessage<Message>(worker: Worker, { timeMs, memoryMb }: Limits): Promise<Message> {
  const { promise, resolve, reject } = Promise.withResolvers<Message>()
  // `resourceLimits` limits the heap only, not buffers and WebAssembly.
  const checkMemory = async () => {
    const used = await worker.getHeapStatistics().catch(() => null)
    if (used && used.used_heap_size + used.external_memory > memoryMb * megabyte) reject(new WorkerLimit('memory'))
  }
  const onError = (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new WorkerLimit('memory') : error)
  const onExit = (code: number) => reject(new Error(`a worker ended with ${code} and no result`))
  const timeout = setTimeout(() => reject(new WorkerLimit('time')), timeMs)
  const checking = setInterval(() => void checkMemory(), checkEveryMs)
  worker.on('message', resolve).on('error', onError).on('exit', onExit)
  try {
    return await promise
  } finally {
    clearTimeout(timeout)
    clearInterval(checking)
    worker.off('message', resolve).off('error', onError).off('exit', onExit)
  }
}

/** Called in the worker file: runs the work with its input, or with each that comes where `openWorker` started it. */
export async function serveTask(work: (input: never) => Promise<unknown>) {
  if (workerData !== many) return parentPort?.postMessage(await work(workerData as never), [])
  parentPort?.on('message', (input) => {
    work(input as never).then(
      (result) => parentPort?.postMessage({ result }, []),
      (error: unknown) => parentPort?.postMessage({ error: String(error) }, []),
    )
  })
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
