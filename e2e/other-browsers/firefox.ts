import { existsSync } from 'node:fs'
import type { Browser, BrowserContext, ConsoleMessage, ElementHandle, Page } from 'puppeteer-core'
import { launch } from 'puppeteer-core'
import type { Value } from './tab.ts'
import { Tab } from './tab.ts'

const program = process.env.FIREFOX ?? '/usr/bin/firefox-esr'
export const hasFirefox = existsSync(program)

/** Debian's Firefox by WebDriver BiDi: Playwright drives only its own, and sends Debian's a command that it does not know. */
export function createFirefox() {
  let started: Promise<Browser> | undefined
  const start = () =>
    launch({
      browser: 'firefox',
      executablePath: program,
      env: { ...process.env, TZ: 'America/Toronto' },
      extraPrefsFirefox: { 'intl.accept_languages': 'fr-CA, fr' },
    })
  return {
    async openTab(origin: string) {
      const context = await (await (started ??= start())).createBrowserContext()
      // A window of its own: a tab in the background would not be drawn.
      const page = await context.newPage({ type: 'window' })
      await page.evaluateOnNewDocument(writeErrorsAsText)
      return new FirefoxTab(origin, context, page)
    },
    stop: async () => (await started)?.close(),
  }
}

/** Runs in the page: BiDi reports an error that is logged without its message. */
function writeErrorsAsText() {
  const { error: log } = console
  console.error = (...values: unknown[]) => log(...values.map((value) => (value instanceof Error ? String(value) : value)))
}

class FirefoxTab extends Tab<ElementHandle> {
  private readonly context: BrowserContext
  private readonly page: Page

  constructor(origin: string, context: BrowserContext, page: Page) {
    super(origin)
    this.context = context
    this.page = page
    page.on('pageerror', (error) => this.problems.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') this.problems.push(textOf(message))
    })
  }

  protected async goto(address: string) {
    await this.page.goto(address)
  }

  async reload() {
    await this.page.reload()
  }

  async resize(width: number, height: number) {
    await this.page.setViewport({ width, height })
  }

  async screenshot() {
    return Buffer.from(await this.page.screenshot())
  }

  async close() {
    await this.context.close()
  }

  async evaluate<Args extends Value[], Result>(script: string | ((...args: Args) => Result), ...args: Args) {
    return (await this.page.evaluate(script as (...given: unknown[]) => Result, ...args)) as Result
  }

  protected async find<Args extends Value[]>(script: (...args: Args) => Promise<Element | undefined>, ...args: Args) {
    const handle = await this.page.evaluateHandle(script as (...given: unknown[]) => Promise<Element | undefined>, ...args)
    return (handle.asElement() as ElementHandle | null) ?? undefined
  }

  protected async press(element: ElementHandle) {
    await this.page.bringToFront()
    await element.click()
  }

  protected async type(element: ElementHandle, text: string) {
    await this.page.bringToFront()
    await element.focus()
    // At once, as a paste: keys reach a window only while it is the active one, and another may become it between two of them.
    await element.evaluate((_field, value) => {
      document.execCommand('selectAll')
      document.execCommand('insertText', false, value)
    }, text)
  }
}

const textOf = (message: ConsoleMessage) => `${message.text()} (${message.stackTrace()[0]?.url ?? ''})`
