import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { LocalizedText } from '#src/lib/form-result.ts'
import { LocalizedError } from '../localized-error.ts'
import type { Owner } from './processes.ts'

export type DataTask = { kind: 'rehearse' | 'end-rehearsal' | 'copy' | 'restore' | 'discard' }
export type DataResult = { isDone: boolean | string } | { failure: LocalizedText }

/** Does one task on the data in a process of its owner, of the version in `root`; returns whether it was possible, or what it left. */
export function workOnData(
  kind: DataTask['kind'],
  { root, owner, environment }: { root: string; owner: Owner; environment: NodeJS.ProcessEnv },
): Promise<boolean | string> {
  const file = join(root, 'src/server/update/data-process.ts')
  const child = fork(file, { ...owner, cwd: root, env: environment, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  return new Promise<boolean | string>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => reject(new Error(`the process that copies the data ended with ${signal ?? code}`)))
    child.on('message', (result: DataResult) => {
      if ('failure' in result) reject(new LocalizedError(result.failure))
      else resolve(result.isDone)
    })
    child.send({ kind } satisfies DataTask)
  })
}
