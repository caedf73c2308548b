import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { LocalizedText } from '#src/lib/form-result.ts'
import type { Progress } from '../backup/dump.ts'
import { readLines, ServerStopped } from '../http/command-key.ts'
import { LocalizedError } from '../localized-error.ts'
import type { ProductConnection, ProductRequest } from './command.ts'

/** A line of the response to a command: what it works on, how far it is, then its result or why there is none. */
export type CommandLine<Result> =
  | { started: number }
  | { done: number; total: number | null }
  | { result: Result }
  | { failure: LocalizedText }

type Report = { started: (id: number) => void; progress: Progress; signal: AbortSignal }
type Explain = (error: unknown) => LocalizedText | null

const inLog = { fr: 'La cause est dans les messages du serveur.', en: 'The server log has the cause.' }

/** What runs in this process for a command, to end it before the database closes. */
const running = new Map<AbortController, Promise<void>>()

/** Answers with lines of JSON while the work runs. `signal` is aborted where the command goes away. */
export function sendLines<Result>(reply: FastifyReply, work: (report: Report) => Promise<Result>, explain: Explain) {
  const gone = new AbortController()
  const write = async function* () {
    const lines: CommandLine<Result>[] = []
    let wake: () => void = () => undefined
    const add = (line: CommandLine<Result>) => {
      // Of two figures that nobody has read yet, the newer one counts.
      if ('done' in line && 'done' in (lines.at(-1) ?? {})) lines.pop()
      lines.push(line)
      wake()
    }
    let isOver = false
    const report = {
      started: (started: number) => add({ started }),
      progress: (done: number, total: number | null) => add({ done, total }),
      signal: gone.signal,
    }
    const working = work(report)
      .then((result) => add({ result }))
      .catch((error: unknown) => {
        const failure = error instanceof LocalizedError ? error.texts : explain(error)
        if (!failure) reply.log.error({ err: error }, 'a command failed')
        add({ failure: failure ?? inLog })
      })
      .finally(() => {
        isOver = true
        running.delete(gone)
        wake()
      })
    running.set(gone, working)
    // oxlint-disable-next-line no-unmodified-loop-condition -- set when the work ends
    while (!isOver || lines.length > 0) {
      const line = lines.shift()
      if (line) yield `${JSON.stringify(line)}\n`
      else await new Promise<void>((resolve) => (wake = resolve))
    }
    await working
  }
  reply.raw.once('close', () => gone.abort(new Error('the command went away')))
  return reply.type('application/x-ndjson').send(Readable.from(write()))
}

type Follow = { progress: Progress; onStart?: (id: number) => void }

/** Sends the request of a command whose route answers with `sendLines`, and returns its result. */
export async function followLines<Result>(
  product: ProductConnection,
  request: ProductRequest,
  { progress, onStart }: Follow,
): Promise<Result> {
  const response = await product.send(request).catch((cause: unknown) => {
    throw new LocalizedError(
      { fr: 'Le produit ne répond pas : vérifiez qu’il est en marche.', en: 'The product does not respond: check that it runs.' },
      'unreachable',
      { cause },
    )
  })
  if (!response.ok || !response.body) throw await refusalOf(response)
  try {
    for await (const line of readLines<CommandLine<Result>>(response.body)) {
      if ('failure' in line) throw new LocalizedError(line.failure)
      if ('result' in line) return line.result
      if ('started' in line) onStart?.(line.started)
      else progress(line.done, line.total)
    }
  } catch (error) {
    if (!(error instanceof ServerStopped)) {
      for (const [gone, working] of running) {
        gone.abort(error)
        await working
      }
      throw error
    }
  }
  throw new LocalizedError(
    {
      fr: 'Le produit s’est arrêté avant la fin. Démarrez-le, puis relancez la même commande : elle continue.',
      en: 'The product stopped before the end. Start it, then run the same command again: it continues.',
    },
    'unreachable',
  )
}

/** Why the product refused a request of a command. */
export async function refusalOf(response: Response) {
  const body = (await response.json().catch(() => ({}))) as { detail?: string; errors?: { path: string; message: string }[] }
  const errors = (body.errors ?? []).map(({ path, message }) => `${path}: ${message}`)
  const detail = [body.detail ?? '', ...errors].filter(Boolean).join('\n')
  return new LocalizedError({
    fr: `Le produit a répondu ${response.status}${detail ? ` : ${detail}` : '.'}`,
    en: `The product answered ${response.status}${detail ? `: ${detail}` : '.'}`,
  })
}
