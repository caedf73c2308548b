import { Argument, Command as Commander, CommanderError, Option } from 'commander'
import type { LocalizedText } from '#src/lib/form-result.ts'
import { translateAll } from '#src/lib/form-result.ts'
import type { Language } from '#src/lib/language/language.ts'
import type { Translate } from '#src/lib/language/texts.ts'
import { translator } from '#src/lib/language/texts.ts'
import type { Command } from '#src/server/command-line/command.ts'
import { LocalizedError } from '#src/server/localized-error.ts'
import { commandLineTexts as texts } from './texts.ts'

type Key = keyof (typeof texts)['fr']
type Run = (command: Command, words: string[], options: Record<string, never>) => Promise<void>
type Output = { writeOut: (text: string) => void; writeErr: (text: string) => void }

/** commander with help and messages in both languages; each wrong usage throws. */
class LocalizedCommander extends Commander {
  language: Language = 'en'

  override createCommand(name?: string) {
    return new LocalizedCommander(name)
  }

  override error(message: string, { code = '' } = {}): never {
    throw this.wrongUsage(describeUsageError(message, code))
  }

  wrongUsage(text: LocalizedText) {
    const help = translateAll(texts, 'seeHelp', { command: pathOf(this) })
    return new LocalizedError({ fr: `${text.fr}\n${help.fr}`, en: `${text.en}\n${help.en}` }, 'usage')
  }
}

function describeUsageError(message: string, code: string): LocalizedText {
  const quoted = [...message.matchAll(/'([^']*)'/g)].map(([, word = '']) => word)
  const key = code.replace('commander.', '') as Key
  if (!Object.hasOwn(texts.fr, key)) return { fr: message, en: message }
  // An option names itself before the value that it does not take.
  const given = (key === 'invalidArgument' && message.startsWith('error: option') ? quoted[1] : quoted[0]) ?? ''
  const text = translateAll(texts, key, { given, choices: /Allowed choices are (.*)\./.exec(message)?.[1] ?? '' })
  const suggestion = /\(Did you mean (?:one of )?([^?]+)\?\)/.exec(message)?.[1]
  if (!suggestion) return text
  const offer = translateAll(texts, 'suggestion', { suggestion })
  return { fr: `${text.fr} ${offer.fr}`, en: `${text.en} ${offer.en}` }
}

/** Builds the whole tree of commands. */
export function createProgram(commands: readonly Command[], language: Language, output: Output, run: Run) {
  const t = translator(texts, language)
  const program = new LocalizedCommander('guichet')
  const set = (one: LocalizedCommander) => {
    one.configureHelp({
      styleTitle: (title) => t(title as Key),
      argumentDescription: (argument) => describeChoices(argument, t),
      optionDescription: (option) => describeChoices(option, t),
    })
    one.configureOutput({ ...output, outputError: () => undefined })
    one.exitOverride().helpOption('-h, --help', t('help')).helpCommand(false).showSuggestionAfterError(true)
    addCommonOptions(one, t)
    return one
  }
  set(program)
    .description(t('program'))
    .addHelpText('after', `\n${t('exitCodes')}`)
  refuseBare(program, t)
  for (const command of commands) {
    const [first = '', ...rest] = command.name.split(' ')
    const parent = rest.length === 0 ? program : (find(program, first) ?? addGroup(program, set, first, t))
    const name = rest.length === 0 ? first : rest.join(' ')
    const known = find(parent, name)
    const made = known ?? set(new LocalizedCommander(name))
    if (!known) parent.addCommand(made)
    describe(made, command, { language, t })
    made.action(async (...values: unknown[]) => {
      const words = values.slice(0, -2) as string[]
      await run(command, words, made.optsWithGlobals())
    })
  }
  return program
}

function addGroup(program: Commander, set: (one: LocalizedCommander) => LocalizedCommander, name: string, t: Translate<Key>) {
  const group = set(new LocalizedCommander(name)).description(Object.hasOwn(texts.fr, name) ? t(name as Key) : '')
  refuseBare(group, t)
  program.addCommand(group)
  return group
}

const find = (parent: Commander, name: string) =>
  parent.commands.find((one) => one.name() === name) as LocalizedCommander | undefined

/** A word that is no command of a group gets the nearest one; no word at all gets the list. */
function refuseBare(group: LocalizedCommander, t: Translate<Key>) {
  group.action(() => {
    group.outputHelp({ error: true })
    throw group.wrongUsage(translateAll(texts, 'noCommand'))
  })
  group.allowExcessArguments(true).hook('preAction', (_program, acting) => {
    if (acting !== group || group.args.length === 0) return
    // commander finds the nearest word.
    ;(group as unknown as { unknownCommand: () => void }).unknownCommand()
  })
  group.usage(`[${t('Options:').replace(/\W+$/u, '').toLowerCase()}] COMMAND`)
}

function describe(made: Commander, command: Command, { language, t }: { language: Language; t: Translate<Key> }) {
  made.summary(command.summary[language])
  made.description([command.summary, command.details].flatMap((text) => (text ? [text[language]] : [])).join('\n'))
  for (const { name, summary, isOptional, choices } of command.arguments ?? []) {
    const argument = new Argument(isOptional ? `[${name}]` : `<${name}>`, summary[language])
    made.addArgument(choices ? argument.choices([...choices]) : argument)
  }
  for (const { flags, summary, isRepeated, choices } of command.options ?? []) {
    const option = new Option(flags, summary[language])
    if (isRepeated) option.argParser((value: string, known: string[] | undefined) => [...(known ?? []), value])
    made.addOption(choices ? option.choices([...choices]) : option)
  }
  const lines = command.examples.map((example) => `  guichet ${example}`)
  made.addHelpText('after', `\n${t('Examples')}\n${lines.join('\n')}`)
}

function addCommonOptions(command: Commander, t: Translate<Key>) {
  command.option('--json', t('json')).option('--quiet', t('quiet'))
  command.option('--lang <fr|en>', t('lang')).option('--yes', t('yes'))
}

function describeChoices({ argChoices, description }: Option | Argument, t: Translate<Key>) {
  return argChoices ? `${description} (${t('choices', { choices: argChoices.join(', ') })})` : description
}

function pathOf(command: Commander): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

/** True where commander has shown a help and is done. */
export function isHelp(error: unknown) {
  return error instanceof CommanderError && error.exitCode === 0
}
