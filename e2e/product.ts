import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestSmtp } from '../src/server/testing/test-smtp.ts'

export const administrator = { username: 'admin', password: 'Lampe-Allumee-2026!' }

/** In journeys as it is after a first start (first-start.ts), otherwise empty. */
function makeDataDir() {
  const folder = mkdtempSync(join(tmpdir(), 'guichet-e2e-'))
  if (process.env.FIRST_START) cpSync(process.env.FIRST_START, folder, { recursive: true })
  return folder
}

/** Starts the production build on a free port, with a data folder and a mail server of its own. */
export async function startProduct(
  environment: Record<string, string> = {},
  dataDir = makeDataDir(),
  program = 'build/server/main.js',
) {
  const smtp = await startTestSmtp()
  let folder = process.cwd()
  let log = ''
  let server = await launch()

  async function launch() {
    const child = spawn(process.execPath, [program], {
      cwd: folder,
      env: {
        ...process.env,
        NODE_ENV: 'production',
        NODE_COMPILE_CACHE: join(process.cwd(), 'build/.compiled'),
        PORT: '0',
        DATA_DIR: dataDir,
        SMTP_URL: smtp.url,
        ADMIN_PASSWORD: administrator.password,
        LOG_LEVEL: 'warn',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const address = await new Promise<string>((resolve, reject) => {
      let output = ''
      const read = (chunk: Buffer) => {
        output += chunk.toString()
        log += chunk.toString()
        const found = /Guichet is (?:running )?at (http:\S+)/.exec(output)?.[1]
        if (found) resolve(found)
      }
      child.stdout.on('data', read)
      child.stderr.on('data', read)
      child.once('exit', (code) => reject(new Error(`the product stopped (${code}):\n${output}`)))
    })
    return { child, address }
  }

  async function stopServer(signal: NodeJS.Signals) {
    const { child } = server
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const gone = new Promise<number | null>((resolve) => child.once('exit', resolve))
    child.kill(signal)
    return gone
  }

  return {
    smtp,
    dataDir,
    address: () => server.address,
    pid: () => server.child.pid ?? 0,
    isRunning: () => server.child.exitCode === null && server.child.signalCode === null,
    /** What it wrote since the first start. */
    log: () => log,
    /** Kills the server and starts it again on the same port and data; `from` another folder, as another release. */
    async restart(signal: NodeJS.Signals = 'SIGKILL', from = folder) {
      folder = from
      environment.PORT = new URL(server.address).port
      await stopServer(signal)
      server = await launch()
    },
    /** Stops the server; returns its exit code. */
    end: stopServer,
    async stop() {
      await stopServer('SIGTERM')
      await smtp.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export type Product = Awaited<ReturnType<typeof startProduct>>
