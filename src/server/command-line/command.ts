import type { LocalizedText } from '#src/lib/form-result.ts'
import type { Language } from '#src/lib/language/language.ts'
import type { Config } from '../config.ts'
import type { Progress } from '../backup/dump.ts'
import type { PersonalDataKind } from '../personal-data.ts'
import type { Unit } from './progress.ts'

type Argument = {
  name: string
  summary: LocalizedText
  isOptional?: boolean
  choices?: readonly string[]
}

type Option = {
  /** As commander takes them: `--draft`, `--map <file>`. */
  flags: string
  summary: LocalizedText
  /** The option may be given several times; its value is a list. */
  isRepeated?: boolean
  choices?: readonly string[]
}

/** A command of `guichet`; its code is loaded only when it runs. */
export type Command = {
  /** The words after `guichet`, such as `audit verify`. */
  name: string
  summary: LocalizedText
  details?: LocalizedText
  arguments?: readonly Argument[]
  options?: readonly Option[]
  /** What follows `guichet` in the examples of the help. */
  examples: readonly [string, ...string[]]
  load: () => Promise<{ run: RunCommand }>
}

export type RunCommand = (context: CommandContext) => Promise<CommandResult>

export type CommandResult = {
  /** Written on stdout for people. */
  text: string | LocalizedText
  /** Written on stdout with `--json`. */
  json: unknown
  /** 1: something was refused or is wrong. */
  exitCode?: 0 | 1
}

export type ProductRequest = {
  method: 'POST' | 'PUT' | 'DELETE'
  path: string
  body?: unknown
  signal?: AbortSignal
}

/** The product, whether it runs on this machine or only its database is there. */
export type ProductConnection = {
  isRunning: boolean
  /** Sends a request signed for this command; a route takes it with `access: 'command NAME'`. */
  send: (request: ProductRequest) => Promise<Response>
  close: () => Promise<void>
}

export type CommandContext = {
  /** Every command there is. */
  commands: readonly Command[]
  arguments: readonly (string | undefined)[]
  /** By name in camel case, as commander names them: `--title-en` is `titleEn`. */
  options: Readonly<Record<string, string | boolean | string[] | undefined>>
  language: Language
  isJson: boolean
  /** Throws `ConfigError`. Everything that works on the data begins here: it makes new files private. */
  readConfig: () => Config
  /**
   * The product that runs on this machine, else the product without its pages, queue and port, opened on its database: one
   * route serves both. Throws where neither can be reached.
   */
  openProduct: (config: Config, commandName: string) => Promise<ProductConnection>
  /** What features declare about people. */
  findPersonalDataKinds: () => Promise<readonly PersonalDataKind[]>
  /** Shows on stderr how far the work is. After Ctrl+C its next call throws `Interrupted`. */
  progress: (unit: Unit) => Progress
  /** Aborted by Ctrl+C. */
  signal: AbortSignal
  /** Writes a remark on stderr, unless `--quiet`. */
  remark: (text: LocalizedText) => void
  /** Asks on a terminal; elsewhere throws unless `--yes` was given. */
  confirm: (question: LocalizedText) => Promise<boolean>
  /** Colors of stdout, where it shows them. */
  style: (format: 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue', text: string) => string
  /** False where the terminal shows ASCII only. */
  isUnicode: boolean
  environment: NodeJS.ProcessEnv
  /** A path as the user gave it: from their folder, not that of the product. */
  resolvePath: (path: string) => string
}

export function defineCommand(command: Command): Command {
  return command
}
