import { Readable, Writable } from 'node:stream'
import { runCommandLine } from '#src/app/command-line/main.ts'
import type { Command } from '#src/server/command-line/command.ts'
import type { TestApp } from './test-app.ts'

type Options = { environment?: NodeJS.ProcessEnv; signal?: AbortSignal; commands?: readonly Command[] }

/** Runs a command of `guichet` in this process, as in a terminal that is none. */
export async function runGuichet(words: string[], { environment = {}, signal, commands }: Options = {}) {
  const [stdout, stderr] = [collect(), collect()]
  const terminal = {
    stdin: Readable.from([]) as NodeJS.ReadStream,
    stdout: stdout.stream,
    stderr: stderr.stream,
    environment: { LANG: 'en_CA.UTF-8', LOG_LEVEL: 'silent', ...environment },
    signal: signal ?? new AbortController().signal,
  }
  const code = await runCommandLine(words, terminal, commands)
  return { code, output: stdout.read(), errors: stderr.read() }
}

/** The environment of a command on the machine of this product. */
export function environmentOf({ origin, dataDir, app }: TestApp): NodeJS.ProcessEnv {
  return { NODE_ENV: 'test', PORT: new URL(origin).port, HOST: '127.0.0.1', DATA_DIR: dataDir, SESSION_SECRET: app.config.secret }
}

function collect() {
  const parts: string[] = []
  const stream = new Writable({
    write(part: Buffer, _encoding, done) {
      parts.push(part.toString())
      done()
    },
  })
  return { stream: stream as NodeJS.WriteStream, read: () => parts.join('') }
}
