import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test.each([
  ['backup', '--help'],
  ['restore', '--force'],
])(
  '%s %s tells how it is used, and touches nothing',
  (name, option) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${name}.ts`, option], { encoding: 'utf8' })
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^Usage: npm run ${name}`)),
    })
  },
  60_000,
)
