import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { logger } from '#src/server/log.ts'
import type { drawings } from './picture-drawing.ts'

type Drawings = typeof drawings
type Name = keyof Drawings
export type PictureTask = { name: Name; input: unknown[] }
export type PictureAnswer = { result: unknown } | { error: string }

/** Longer than sharp's own limit for each of the steps, which a decoder that hangs does not respect. */
const longestMs = 60_000
/** Pictures often come one after the other, and the process takes a third of a second to begin. */
const idleMs = 10_000
/** No secret is in the environment of a process that decodes hostile files. */
const passed = ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'NODE_COMPILE_CACHE', 'NODE_ENV']

let child: ChildProcess | null = null
let ending: NodeJS.Timeout | undefined
/** One at a time: a decoded 40-megapixel picture takes 160 MB. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Draws in a process of its own, which ends when it is idle: a decoder that crashes takes nothing with it, and the memory of the
 * encoders goes back to the system. Throws where the picture cannot be read, or takes too long.
 */
export function draw<N extends Name>(name: N, ...input: Parameters<Drawings[N]>): ReturnType<Drawings[N]> {
  const work = last.then(() => run({ name, input }))
  last = work.catch(() => undefined)
  return work as ReturnType<Drawings[N]>
}

async function run(task: PictureTask): Promise<unknown> {
  clearTimeout(ending)
  const current = (child ??= begin())
  hold(current, true)
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const onExit = () => reject(new Error(`the process that draws pictures ended at "${task.name}"`))
  const onAnswer = (answer: PictureAnswer) => {
    if ('result' in answer) resolve(answer.result)
    else reject(new Error(answer.error))
  }
  const tooLong = setTimeout(() => current.kill('SIGKILL'), longestMs)
  current.once('message', onAnswer).once('exit', onExit).once('error', reject)
  try {
    current.send(task)
    return await promise
  } finally {
    clearTimeout(tooLong)
    current.off('message', onAnswer).off('exit', onExit).off('error', reject)
    hold(current, false)
    ending = setTimeout(end, idleMs).unref()
  }
}

function begin() {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const file = fileURLToPath(new URL(`./picture-worker.${extension}`, import.meta.url))
  const begun = fork(file, {
    execArgv: [],
    env: Object.fromEntries(passed.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const forget = () => {
    if (child === begun) child = null
  }
  begun.on('exit', (code, signal) => {
    if (child === begun) logger.warn({ code, signal }, 'the process that draws pictures ended by itself')
    forget()
  })
  begun.on('error', (error) => {
    logger.error({ err: error }, 'the process that draws pictures cannot be used')
    forget()
  })
  return begun
}

function end() {
  const idle = child
  child = null
  if (idle?.connected) idle.disconnect()
}

/** An idle process does not keep the product, or a command, from ending. */
function hold(one: ChildProcess, isBusy: boolean) {
  if (isBusy) {
    one.ref()
    one.channel?.ref()
  } else {
    one.unref()
    one.channel?.unref()
  }
}
