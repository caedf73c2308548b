#!/usr/bin/env node
// `npx guichet COMMAND`: runs on the system's Node, which may be older, and hands over to the product's own.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findNode, installWithProgress, root, whenStarterEnds } from './setup.mjs'

const entry = join(root, 'src/app/command-line/main.ts')
const words = process.argv.slice(2)
const command = words.find((word, at) => !word.startsWith('-') && words[at - 1] !== '--lang')
const isStart = command === 'start'

// An installed product is not changed by a command, and its folder may be read-only.
if (isStart || !existsSync(join(root, 'node_modules/commander'))) await installWithProgress()
const node = findNode()
const isBare = isStart && words.length === 1

if (isBare && !(await import('./build.mjs')).findStale()) {
  // A warm start needs no command line, whose sources take half a second, and 140 MB for as long as the product runs.
  const stopping = new AbortController()
  process.on('SIGINT', () => stopping.abort())
  const { start } = await import('./start.mjs')
  process.exitCode = await start({ isBuilt: true, signal: stopping.signal })
} else if (node === process.execPath || Number(process.versions.node.split('.')[0]) >= 24) {
  process.env.GUICHET_COMMAND = '1'
  // Migrations and `./data` are found from the folder of the product; words of the command from that of its user.
  process.env.GUICHET_FOLDER = process.cwd()
  process.chdir(root)
  // As in the bundled server, the company's own files stand in for those of the repository. What repairs an installation runs
  // also where they are broken.
  if (!isStart && command !== 'doctor' && existsSync(join(root, 'build/company'))) {
    const { registerHooks } = await import('node:module')
    registerHooks({
      resolve: (specifier, context, next) =>
        next(
          specifier.startsWith('#company/')
            ? specifier.replace('#company', pathToFileURL(join(root, 'build/company')).href)
            : specifier,
          context,
        ),
    })
  }
  const { main } = await import(pathToFileURL(entry).href)
  await main()
} else {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  child.once('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
  // Ctrl+C on a terminal reaches both processes.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'))
  if (isStart && process.env.npm_lifecycle_event) whenStarterEnds(() => child.kill('SIGTERM'))
}
