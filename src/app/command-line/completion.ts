import type { Command } from '#src/server/command-line/command.ts'
import { defineCommand } from '#src/server/command-line/command.ts'

const commonOptions = ['--help', '--json', '--quiet', '--lang', '--yes']

/** Prints a script for the shell, which completes commands and options without starting Node. */
export const completionCommand: Command = defineCommand({
  name: 'completion',
  summary: {
    fr: 'Écrire le script qui complète les commandes dans bash ou zsh',
    en: 'Print the script that completes commands in bash or zsh',
  },
  arguments: [{ name: 'shell', choices: ['bash', 'zsh'], summary: { fr: 'interpréteur', en: 'shell' } }],
  examples: ['completion bash > /etc/bash_completion.d/guichet', 'completion zsh > /usr/local/share/zsh/site-functions/_guichet'],
  load: () =>
    Promise.resolve({
      run: ({ arguments: [shell], commands }) => {
        const script = shell === 'zsh' ? zshScript(commands) : bashScript(commands)
        return Promise.resolve({ text: script, json: { shell, script } })
      },
    }),
})

/** What may follow each beginning of a command. */
function listWords(commands: readonly Command[]) {
  const words = new Map<string, Set<string>>([['', new Set(commonOptions)]])
  const add = (path: string, ...more: string[]) => words.set(path, new Set([...(words.get(path) ?? commonOptions), ...more]))
  for (const { name, options = [], arguments: given = [] } of commands) {
    const path = name.split(' ')
    for (const [at, word] of path.entries()) add(path.slice(0, at).join(' '), word)
    add(name, ...options.map(({ flags }) => flags.split(/[ ,]/)[0] ?? ''), ...(given[0]?.choices ?? []))
  }
  return words
}

function cases(commands: readonly Command[]) {
  return [...listWords(commands)].map(([path, words]) => `    '${path}') words='${[...words].join(' ')}' ;;`).join('\n')
}

const bashScript = (commands: readonly Command[]) => `_guichet() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || path="\${path:+$path }$word"
  done
  case "$path" in
${cases(commands)}
    *) words='${commonOptions.join(' ')}' ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ \${#COMPREPLY[@]} -gt 0 || $current == -* ]] || compopt -o default
}
complete -F _guichet guichet`

const zshScript = (commands: readonly Command[]) => `#compdef guichet
_guichet() {
  local path_words='' choices='' word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] || path_words="\${path_words:+$path_words }$word"
  done
  case "$path_words" in
${cases(commands).replaceAll(" words='", " choices='")}
    *) choices='${commonOptions.join(' ')}' ;;
  esac
  compadd -- \${=choices} || _files
}
compdef _guichet guichet`
