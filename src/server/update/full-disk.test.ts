import { expect, test } from 'vitest'
import { explainOutput } from './full-disk.ts'

test.each([
  [
    'git',
    'error: file write error: No space left on device\nfatal: unable to write loose object file\nfatal: unpack-objects failed',
  ],
  ['the build', `Error: ENOSPC: no space left on device, write\n${'    at async build (file:///guichet)\n'.repeat(8)}}`],
])('a full disk that %s writes of is named in one sentence', (_program, output) => {
  expect(explainOutput(output)).toEqual({
    fr: 'le disque est plein. Libérez de l’espace, puis relancez la commande.',
    en: 'the disk is full. Free some space, then run the command again.',
  })
})

test('anything else is explained by the last lines of the program', () => {
  const output = Array.from({ length: 8 }, (_, index) => `line ${index}`).join('\n')
  expect(explainOutput(`${output}\n`).en).toBe('line 2\nline 3\nline 4\nline 5\nline 6\nline 7')
})
