import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Progress } from '#src/server/backup/dump.ts'
import type { RunCommand } from '#src/server/command-line/command.ts'
import { LocalizedError } from '#src/server/localized-error.ts'

type Start = (options: {
  isDevelopment: boolean
  signal: AbortSignal
  onProgress: Progress
  onBuilt: () => void
}) => Promise<number>

/** Installed by `scripts/guichet.mjs` already; builds, then runs the product until it ends. */
export const run: RunCommand = async ({ options, signal, progress, remark }) => {
  // Plain JavaScript that runs without the packages, so it has no types.
  const { start } = (await import(pathToFileURL(join(process.cwd(), 'scripts/start.mjs')).href)) as { start: Start }
  let isAnnounced = false
  let steps: number | null = null
  const report = progress('steps')
  const onProgress: Progress = (done, total) => {
    if (!isAnnounced) remark({ fr: 'Construction du site et du serveur…', en: 'Building the site and the server…' })
    isAnnounced = true
    steps = total
    report(done, total)
  }
  // The product may run for months: its output follows the last step.
  const onBuilt = () => {
    if (steps !== null) report(steps, steps)
  }
  const code = await start({ isDevelopment: options['dev'] === true, signal, onProgress, onBuilt }).catch((error: unknown) => {
    if (error instanceof LocalizedError) throw error
    const output = error instanceof Error ? error.message : String(error)
    throw new LocalizedError({ fr: `${output}\nLa construction a échoué.`, en: `${output}\nThe build failed.` })
  })
  return { text: '', json: { exit_code: code }, exitCode: code === 0 ? 0 : 1 }
}
