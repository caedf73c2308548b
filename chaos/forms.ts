import { chromium } from '@playwright/test'
import { chromiumPath } from '../e2e/chromium.ts'
import type { Product } from '../e2e/product.ts'
import { administrator, startProduct } from '../e2e/product.ts'
import { referencePattern } from '../src/features/requests/values.ts'
import { createTestClient } from '../src/app/testing/test-client.ts'
import { addressOf, pause, trusting } from './clients.ts'
import { startFaultyProxy } from './faulty-proxy.ts'
import type { Row } from './row.ts'

const forms = 2_000
const inBrowser = 60
const kills = 5
const atOnce = 24
/** Timeout of a response, in milliseconds. */
const timeoutMs = 8_000
/** How long a page may retry by itself before it reports that nothing is confirmed, plus a margin. */
const maxTryMs = 70_000
const maxTries = 60

type Kind = 'support' | 'contact'
type Form = { number: number; kind: Kind; text: string; isTrapped: boolean; clientId: string }
/** Result shown by a page: the reference of a request, or null where it is not confirmed. */
type ShownResult = string | null

export const formsLost: Row = {
  name: 'forms',
  fault: `${forms} forms of both kinds, by the API, as page posts and in a browser, through a proxy that resets, stalls, answers HTML or {}, doubles and delays; the product killed ${kills} times`,
  async run() {
    const product = await startProduct({ ...trusting, DEMO: '0' })
    const proxy = await startFaultyProxy(() => product.address())
    const told = new Map<number, string>()
    const count = { done: 0, failed: 0, tries: 0, 'never confirmed': 0 }
    const all = Array.from({ length: forms }, (_, number) => makeForm(number))
    const progress = setInterval(() => report(count.done, count.failed), 10_000)
    const killing = killRepeatedly(product, () => count.done)

    const sendUntilConfirmed = async (form: Form) => {
      const send = await openForm(form, proxy.url)
      for (let attempt = 1; attempt <= maxTries; attempt += 1) {
        count.tries += 1
        const reference = await send.once().catch(() => null)
        if (reference) {
          told.set(form.number, reference)
          break
        }
        if (attempt === 1) count.failed += 1
        if (attempt === maxTries) count['never confirmed'] += 1
        // A killed product needs a moment to restart.
        await pause(Math.min(2_000, 300 * attempt))
      }
      await send.close()
      count.done += 1
    }
    const waiting = all.values()
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (const form of waiting) await sendUntilConfirmed(form)
      }),
    )
    const killed = await killing
    clearInterval(progress)
    report(count.done, count.failed)
    proxy.stop()

    const stored = await readStored(product)
    await product.stop()
    const found = all.map(({ number, text }) => ({ number, rows: stored.get(text) ?? [] }))
    const lost = found.filter(({ rows }) => rows.length === 0).length
    const doubled = found.filter(({ rows }) => rows.length > 1).length
    const otherNumber = found.filter(({ number, rows }) => rows.length === 1 && rows[0] !== told.get(number)).length
    return {
      good: lost + doubled + otherNumber + count['never confirmed'] === 0 && killed === kills,
      figures: {
        forms,
        'of them in a browser': inBrowser,
        'whose first try said failure': count.failed,
        tries: count.tries,
        'faults of the proxy': proxy.dealt(),
        'times killed': killed,
        'never confirmed': count['never confirmed'],
        lost,
        doubled,
        'told another number than the stored one': otherNumber,
      },
    }
  },
}

function makeForm(number: number): Form {
  const kind = number % 2 === 0 ? 'support' : 'contact'
  const text = `Formulaire ${String(number).padStart(5, '0')}.`
  return { number, kind, text, isTrapped: number % 20 === 7, clientId: crypto.randomUUID() }
}

const paths = { support: '/appel-de-service', contact: '/contact' }

function valuesOf({ kind, text, isTrapped }: Form): Record<string, string> {
  const shared = { honey: isTrapped ? 'x' : '', email: 'zoé@example.com', phone: '418 555-0100' }
  return kind === 'support'
    ? { ...shared, firstname: 'Zoé', lastname: 'Roy', subject: 'Panne', description: text }
    : { ...shared, name: 'Zoé Roy', message: text }
}

type Sender = { once: () => Promise<ShownResult>; close: () => Promise<void> }

function openForm(form: Form, origin: string): Promise<Sender> | Sender {
  const every = Math.floor(forms / inBrowser)
  if (form.number % every === 0) return openInBrowser(form, origin, (form.number / every) % 3 !== 0)
  return form.number % 4 < 2 ? openByApi(form, origin) : openAsPage(form, origin)
}

/** An API client: any response without a reference is a failure. */
function openByApi(form: Form, origin: string): Sender {
  const body = JSON.stringify({ ...valuesOf(form), client_id: form.clientId })
  const from = { 'x-forwarded-for': addressOf(form.number) }
  let cookie: string | undefined
  return {
    async once() {
      // A new session each time: the same form is the same request whoever sends it.
      const arrived = await fetch(`${origin}/api/mailer/form`, { headers: from, signal: AbortSignal.timeout(timeoutMs) })
      cookie =
        arrived.headers
          .getSetCookie()
          .find((one) => one.includes('XSRF-TOKEN='))
          ?.split(';', 1)[0] ?? cookie
      const token = decodeURIComponent(cookie?.split('=').slice(1).join('=') ?? '')
      const response = await fetch(`${origin}/api/mailer/${form.kind}`, {
        method: 'POST',
        headers: { ...from, cookie: cookie ?? '', 'x-xsrf-token': token, 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(timeoutMs),
      })
      const { reference } = (await response.json()) as { reference?: string }
      return response.status === 200 && reference && referencePattern.test(reference) ? reference : null
    },
    close: async () => undefined,
  }
}

/** A browser without JavaScript: loads the page, then posts its form. */
function openAsPage(form: Form, origin: string): Sender {
  let hidden: Record<string, string> | null = null
  const from = { 'x-forwarded-for': addressOf(form.number) }
  return {
    async once() {
      if (!hidden) {
        const page = await (
          await fetch(origin + paths[form.kind], { headers: from, signal: AbortSignal.timeout(timeoutMs) })
        ).text()
        const valueOf = (name: string) => new RegExp(`name="${name}"[^>]*value="([^"]+)"`).exec(page)?.[1]
        const [clientId, shownAt] = [valueOf('client_id'), valueOf('shown_at')]
        if (!clientId || !shownAt) return null
        hidden = { client_id: clientId, shown_at: shownAt }
      }
      const response = await fetch(origin + paths[form.kind], {
        method: 'POST',
        headers: { ...from, origin },
        body: new URLSearchParams({ ...valuesOf(form), ...hidden }),
        signal: AbortSignal.timeout(timeoutMs),
      })
      return readNumber(await response.text())
    },
    close: async () => undefined,
  }
}

function readNumber(html: string): ShownResult {
  const reference = /data-reference="([^"]+)"/.exec(html)?.[1]
  return reference && referencePattern.test(reference) ? reference : null
}

/** A real browser: submits, and retries with the button of the page. */
async function openInBrowser(form: Form, origin: string, javaScriptEnabled: boolean): Promise<Sender> {
  const begin = async () => {
    const browser = await chromium.launch({
      executablePath: chromiumPath,
      args: ['--no-sandbox'],
      // Keeps the back/forward cache, as in ordinary browsers.
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    })
    const extraHTTPHeaders = { 'x-forwarded-for': addressOf(form.number) }
    return browser.newPage({ baseURL: origin, javaScriptEnabled, locale: 'fr-CA', extraHTTPHeaders })
  }
  let page = await begin()
  let clientId: string | undefined
  const number = () => page.locator('[data-reference]')
  const field = () => page.locator(`form [name="${form.kind === 'support' ? 'description' : 'message'}"]`)
  const open = async () => {
    page.setDefaultTimeout(timeoutMs)
    await page.goto(paths[form.kind])
    const values = valuesOf(form)
    for (const [name, value] of Object.entries(clientId ? { ...values, client_id: clientId } : values)) {
      const input = page.locator(`form [name="${name}"]`)
      // A restored tab has the texts and their id, without any input event.
      if (clientId || name === 'honey') await input.evaluate((element: HTMLInputElement, text) => (element.value = text), value)
      else await input.fill(value)
    }
  }
  /** A script assigns the id when somebody types. */
  const rememberId = async () => {
    const id = page.locator('form [name="client_id"]')
    if ((await id.count()) > 0 && (await number().count()) === 0) clientId = await id.inputValue()
  }
  const send = async () => {
    // After a response that is no page of the product, Back returns to the form.
    if ((await field().count()) === 0 && clientId) await page.goBack().catch(() => undefined)
    if ((await field().count()) === 0 || (await field().inputValue()) === '') await open()
    const button = page.getByRole('button', { name: /^(Renvoyer la demande|Envoyer la demande|Envoyer!)$/ }).last()
    // The button is absent during an attempt.
    await button.waitFor({ timeout: maxTryMs })
    // Until the response arrives, the page still shows the outcome of the attempt before.
    const responded = Promise.race([
      page.waitForResponse((response) => response.request().method() === 'POST', { timeout: timeoutMs }),
      page.waitForEvent('requestfailed', { timeout: timeoutMs }),
    ]).catch(() => null)
    await rememberId()
    await button.click()
    await responded
    await page.waitForLoadState()
    await rememberId()
    // A page without the form and without a reference is a failure.
    if ((await field().count()) === 0) return null
    const isOver = number().or(page.getByText('Votre demande n’est pas confirmée')).first()
    await isOver.waitFor({ timeout: javaScriptEnabled ? maxTryMs : timeoutMs })
    const reference = (await number().count()) > 0 ? await number().getAttribute('data-reference') : null
    return reference && referencePattern.test(reference) ? reference : null
  }
  return {
    async once() {
      const reference = await Promise.race([send().catch(() => null), pause(2 * maxTryMs)])
      if (reference !== undefined && page.context().browser()?.isConnected()) return reference
      // An unresponsive browser is closed and its tab restored.
      await page.context().browser()?.close()
      page = await begin()
      await open()
      return null
    },
    close: async () => page.context().browser()?.close(),
  }
}

/** Kills the product after each sixth of the forms; returns how many times. */
async function killRepeatedly(product: Product, done: () => number) {
  for (let kill = 1; kill <= kills; kill += 1) {
    while (done() < (forms * kill) / (kills + 1)) await pause(50)
    await product.restart('SIGKILL')
  }
  return kills
}

/** The references stored for each text, including suspected spam. */
async function readStored(product: Product) {
  const staff = await createTestClient(product.address()).arrive()
  await staff.post('/api/auth/login', administrator)
  const found = new Map<string, string[]>()
  for (const query of ['', '?status=suspected']) {
    const { text, status } = await staff.get(`/api/requests/requests/export.csv${query}`)
    if (status !== 200) throw new Error(`the export was refused: ${text}`)
    for (const line of text.split('\r\n')) {
      const reference = /\b(?:AS|CT)-\d{4}-\d{6,}/.exec(line)?.[0]
      const written = /Formulaire \d{5}\./.exec(line)?.[0]
      if (reference && written) found.set(written, [...(found.get(written) ?? []), reference])
    }
  }
  return found
}

function report(done: number, failed: number) {
  process.stderr.write(`  ${done} of ${forms} forms, ${failed} met a fault at first\n`)
}
