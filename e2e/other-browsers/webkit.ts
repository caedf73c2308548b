import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { freePort } from '../../src/server/testing/free-port.ts'
import { expect } from '../fixtures.ts'
import type { Value } from './tab.ts'
import { Tab } from './tab.ts'

const driver = 'WebKitWebDriver'
const python = '/usr/bin/python3'
const windowProgram = join(import.meta.dirname, 'webkit-window.py')
/** The driver, a display, and what a window is made with. */
export const hasWebKit =
  [driver, 'Xvfb'].every((program) => !spawnSync(program, ['-help']).error) &&
  spawnSync(python, [windowProgram, '--check']).status === 0

/**
 * Debian's WebKitGTK by WebDriver. Its few commands are called directly: the client libraries bring drivers and programs for other
 * browsers, 20 MB on every machine that installs the product.
 */
export function createWebKit() {
  let display: ReturnType<typeof startDisplay> | undefined
  return {
    openTab: async (origin: string) => openWebKitTab((await (display ??= startDisplay())).name, origin),
    stop: async () => (await display)?.stop(),
  }
}

/** A display for windows that nobody looks at. */
async function startDisplay() {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    detached: true,
  })
  const [number] = (await once(server.stdio[3] as Readable, 'data')) as [Buffer]
  return { name: `:${number.toString().trim()}`, stop: () => stop(server) }
}

async function openWebKitTab(display: string, origin: string) {
  const folder = mkdtempSync(join(tmpdir(), 'guichet-webkit-'))
  const port = await freePort()
  const program = spawn(driver, [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display, TZ: 'America/Toronto' },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}/${path}`, { method, body: body && JSON.stringify(body) })
    const { value } = (await response.json()) as { value: unknown }
    if (!response.ok) throw new Error(`WebDriver ${method} ${path}: ${JSON.stringify(value)}`)
    return value
  }
  const isReady = async () => expect(await call('GET', 'status')).toMatchObject({ ready: true })
  await expect(isReady).toPass({ intervals: [20], timeout: 10_000 })
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': { binary: python, args: [windowProgram, folder] } } }
  const { sessionId } = (await call('POST', 'session', { capabilities })) as { sessionId: string }
  const send = (path: string, body?: object) => call(body ? 'POST' : 'GET', `session/${sessionId}/${path}`, body)
  const end = async () => {
    await stop(program)
    rmSync(folder, { recursive: true, force: true })
  }
  return new WebKitTab(origin, send, end, program.stderr)
}

type Send = (path: string, body?: object) => Promise<unknown>
/** The key by which WebDriver refers to an element. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'
type Reference = Record<typeof elementKey, string>

class WebKitTab extends Tab<Reference> {
  private readonly send: Send
  readonly close: () => Promise<void>

  constructor(origin: string, send: Send, end: () => Promise<void>, output: Readable) {
    super(origin)
    this.send = send
    this.close = end
    createInterface({ input: output }).on('line', (line) => {
      if (/CONSOLE (\w+ )?ERROR/.test(line)) this.problems.push(line)
    })
  }

  protected async goto(address: string) {
    await this.send('url', { url: address })
  }

  async reload() {
    await this.send('refresh', {})
  }

  async resize(width: number, height: number) {
    await this.send('window/rect', { x: 0, y: 0, width, height })
  }

  async screenshot() {
    return Buffer.from(String(await this.send('screenshot')), 'base64')
  }

  async evaluate<Args extends Value[], Result>(script: string | ((...args: Args) => Result), ...args: Args) {
    const body = typeof script === 'string' ? script : `return (${String(script)})(...arguments)`
    return (await this.send('execute/sync', { script: body, args })) as Result
  }

  protected async find<Args extends Value[]>(script: (...args: Args) => Promise<Element | undefined>, ...args: Args) {
    return ((await this.evaluate(script, ...args)) as unknown as Reference | null) ?? undefined
  }

  protected async press(element: Reference) {
    await this.send(`element/${element[elementKey]}/click`, {})
  }

  protected async type(element: Reference, text: string) {
    await this.send('execute/sync', { script: `(${String(clear)})(...arguments)`, args: [element] })
    await this.send(`element/${element[elementKey]}/value`, { text })
  }
}

/**
 * Runs in the page. The driver's command `clear` writes markup into rich text, which Trusted Types refuse. After a Control+A it drops
 * the selection in one of four cases on a busy machine, or still holds Control while the text is typed.
 */
function clear(field: HTMLElement) {
  field.focus()
  document.execCommand('selectAll')
  document.execCommand('delete')
}

/** Ends a process that leads a group, and all that it started: the driver alone would leave its window behind. */
async function stop(leader: ChildProcess) {
  if (!leader.pid || leader.exitCode !== null || leader.signalCode !== null) return
  process.kill(-leader.pid)
  await once(leader, 'exit')
}
