import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { styleText } from 'node:util'
import { translateAll } from '#src/lib/form-result.ts'
import type { LocalizedText } from '#src/lib/form-result.ts'
import { setTypography } from '#src/lib/language/texts.ts'
import type { Language } from '#src/lib/language/language.ts'
import { isLanguage } from '#src/lib/language/language.ts'
import type { Command, CommandContext, CommandResult } from '#src/server/command-line/command.ts'
import { createProgress } from '#src/server/command-line/progress.ts'
import { readConfig } from '#src/server/config.ts'
import { isDatabaseAway } from '#src/server/database/database.ts'
import type { Reason } from '#src/server/localized-error.ts'
import { LocalizedError } from '#src/server/localized-error.ts'
import { describeError, summarizeError } from '#src/server/log.ts'
import { explainFailure } from '#src/server/failures.ts'
import { commands } from './commands.ts'
import { createProgram, isHelp } from './program.ts'
import { commandLineTexts as texts } from './texts.ts'

const exitCodes: Record<Reason, number> = { refused: 1, usage: 2, unreachable: 3 }

export type Terminal = {
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  environment: NodeJS.ProcessEnv
  signal: AbortSignal
}

/** Runs one command and returns its exit code. */
export async function runCommandLine(words: string[], terminal: Terminal, known: readonly Command[] = commands): Promise<number> {
  const { stdout, stderr, environment } = terminal
  const isJson = isGiven(words, '--json')
  const language = findLanguage(words, environment)
  let exitCode = 0
  const output = { writeOut: (text: string) => void stdout.write(text), writeErr: (text: string) => void stderr.write(text) }
  const program = createProgram(known, language ?? 'en', output, async (command, given, options) => {
    const { run } = await command.load()
    const ends: (() => void)[] = []
    const context = createContext({ terminal, language: language ?? 'en', given, options, isJson, ends, known })
    let result: CommandResult
    try {
      result = await run(context)
    } finally {
      for (const end of ends) end()
    }
    const text = typeof result.text === 'string' ? result.text : pick(result.text, language ?? 'en')
    if (isJson) stdout.write(`${JSON.stringify(result.json)}\n`)
    else if (text) stdout.write(`${text}\n`)
    exitCode = result.exitCode ?? 0
  })
  try {
    if (language === null)
      throw new LocalizedError(translateAll(texts, 'language', { given: givenLanguage(words) ?? '' }), 'usage')
    await program.parseAsync(words, { from: 'user' })
    return exitCode
  } catch (error) {
    if (isHelp(error)) return 0
    const { text, reason } = explain(error, language ?? 'en')
    stderr.write(`${isJson ? JSON.stringify({ error: reason, detail: text }) : text}\n`)
    if (environment.LOG_LEVEL === 'debug') stderr.write(`${JSON.stringify(describeError(error))}\n`)
    return exitCodes[reason]
  }
}

type Given = {
  terminal: Terminal
  language: Language
  given: string[]
  options: Record<string, string | boolean | string[] | undefined>
  isJson: boolean
  ends: (() => void)[]
  known: readonly Command[]
}

function createContext({ terminal, language, given, options, isJson, ends, known }: Given): CommandContext {
  const { stdin, stdout, stderr, environment, signal } = terminal
  const isUnicode =
    /utf-?8/i.test(environment.LC_ALL || environment.LC_CTYPE || environment.LANG || '') || process.platform === 'win32'
  const isQuiet = options['quiet'] === true
  return {
    commands: known,
    arguments: given,
    options,
    language,
    isJson,
    isUnicode,
    signal,
    environment,
    resolvePath: (path) => resolve(environment.GUICHET_FOLDER ?? '', path),
    readConfig: () => readConfig(environment),
    findPersonalDataKinds: async () => {
      const { serverFeatures } = await import('../server-features.ts')
      return serverFeatures.flatMap(({ personalData = [] }) => personalData)
    },
    openProduct: async (config, name) => (await import('./product.ts')).openProduct(config, name),
    progress: (unit) => {
      const mode = isQuiet ? 'quiet' : isJson ? 'json' : 'text'
      // One bar at a time: work that has several parts begins the next.
      for (const endFormer of ends.splice(0)) endFormer()
      const { report, end } = createProgress({ unit, language, stream: stderr, mode, isUnicode, signal })
      ends.push(end)
      // Steps are complete once; what follows has no progress.
      if (unit !== 'steps' && unit !== 'packages') return report
      return (done, total) => {
        report(done, total)
        if (done === total) end()
      }
    },
    remark: (text) => {
      if (!isQuiet) stderr.write(`${pick(text, language)}\n`)
    },
    async confirm(question: LocalizedText) {
      if (options['yes'] === true) return true
      if (!stdin.isTTY || !stderr.isTTY) {
        const texted = (one: Language) => translateAll(texts, 'yesNeeded', { question: question[one] })[one]
        throw new LocalizedError({ fr: texted('fr'), en: texted('en') }, 'usage')
      }
      const prompt = createInterface({ input: stdin, output: stderr })
      try {
        const answer = await prompt.question(translateAll(texts, 'answers', { question: question[language] })[language], {
          signal,
        })
        return /^[oy]/i.test(answer.trim())
      } finally {
        prompt.close()
      }
    },
    style: (format, text) => styleText(format, text, { stream: stdout }),
  }
}

function explain(error: unknown, language: Language): { text: string; reason: Reason } {
  if (error instanceof LocalizedError) return { text: error.texts[language], reason: error.reason }
  const known = explainFailure(error)
  if (known) return { text: known[language], reason: isDatabaseAway(error) ? 'unreachable' : 'refused' }
  const message = summarizeError(error)
  const parts = [translateAll(texts, 'unexpected', { message }), translateAll(texts, 'details')]
  return { text: parts.map((part) => part[language]).join('\n'), reason: 'refused' }
}

const pick = (text: LocalizedText, language: Language) => setTypography(text[language], language)

/** Before `--`, which ends the options. */
const isGiven = (words: string[], option: string) => {
  const end = words.indexOf('--')
  return (end === -1 ? words : words.slice(0, end)).includes(option)
}

function givenLanguage(words: string[]) {
  const at = words.findIndex((word) => word === '--lang' || word.startsWith('--lang='))
  if (at === -1) return undefined
  return words[at] === '--lang' ? words[at + 1] : words[at]?.slice('--lang='.length)
}

/** The language of the messages; null where the one asked for does not exist. */
function findLanguage(words: string[], environment: NodeJS.ProcessEnv): Language | null {
  const given = givenLanguage(words)
  if (given !== undefined) return isLanguage(given) ? given : null
  const locale = environment.LC_ALL || environment.LC_MESSAGES || environment.LANG || ''
  return locale.startsWith('fr') ? 'fr' : 'en'
}

/** The whole process: `scripts/guichet.mjs` calls it. */
export async function main() {
  const stopping = new AbortController()
  process.on('SIGINT', () => {
    // The second one does not wait for the end of an entry.
    if (stopping.signal.aborted) process.exit(130)
    stopping.abort()
  })
  const { stdin, stdout, stderr, env: environment } = process
  // `guichet --help | head`: whoever read the output has seen enough.
  for (const stream of [stdout, stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit()
      throw error
    })
  process.exitCode = await runCommandLine(process.argv.slice(2), { stdin, stdout, stderr, environment, signal: stopping.signal })
}
