import AxeBuilder from '@axe-core/playwright'
import type { BrowserContextOptions, Page } from '@playwright/test'
import { test as base, expect } from '@playwright/test'
import type { Product } from './product.ts'
import { administrator, startProduct } from './product.ts'

type TestFixtures = {
  /** Texts that a console message may contain without failing the test. */
  expectedErrors: string[]
  /** Opens another user's browser, with the same console checks. */
  newPerson: (options?: BrowserContextOptions) => Promise<Page>
  /** A page signed in as the administrator. */
  staff: Page
}
type WorkerFixtures = {
  product: Product
  /** Without it a product is shared with the other journeys of a worker, and has what they wrote. */
  isAlone: boolean
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  isAlone: [false, { scope: 'worker', option: true }],
  product: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const product = await startProduct()
      await use(product)
      await product.stop()
    },
    // The first start creates a database, which takes long on a busy machine.
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ product }, use) => use(product.address()),
  // oxlint-disable-next-line no-empty-pattern -- as above
  expectedErrors: async ({}, use) => use([]),
  page: async ({ page, expectedErrors }, use) => {
    const problems = watch(page)
    await use(page)
    expectQuiet(problems, expectedErrors)
  },
  newPerson: async ({ browser, baseURL, expectedErrors }, use) => {
    const people: { page: Page; problems: string[] }[] = []
    await use(async (options = {}) => {
      const context = await browser.newContext({ baseURL, locale: 'fr-CA', timezoneId: 'America/Toronto', ...options })
      const page = await context.newPage()
      people.push({ page, problems: watch(page) })
      return page
    })
    for (const { page } of people) await page.context().close()
    for (const { problems } of people) expectQuiet(problems, expectedErrors)
  },
  staff: async ({ newPerson }, use) => {
    const page = await newPerson()
    await signInByApi(page)
    await use(page)
  },
})

export { expect }

/** The header that a change needs beside the session. */
export async function xsrfHeaders(page: Page) {
  const token = (await page.context().cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
  return { 'x-xsrf-token': decodeURIComponent(token) }
}

/** Calls the API as who is signed in on the page; returns what it answers, which is nothing for a 204. */
export async function callApi<Answer>(page: Page, method: string, path: string, data?: object): Promise<Answer> {
  const answer = await page.request.fetch(path, { method, data, headers: await xsrfHeaders(page) })
  const text = await answer.text()
  expect(answer.ok(), `${method} ${path}: ${answer.status()} ${text}`).toBe(true)
  return (text ? JSON.parse(text) : null) as Answer
}

/** Without a page: the screen takes a second of the processor, and has journeys of its own. */
export async function signInByApi(page: Page, { username, password } = administrator) {
  // Answers with the first token, as every page does.
  await page.request.get('/api/networks/reseau/status')
  await callApi(page, 'POST', '/api/auth/login', { username, password })
}

export async function signIn(page: Page, credentials = administrator, to = '/admin/panel') {
  await page.goto('/admin/login')
  await page.getByLabel(/Nom d’utilisateur|Username/).fill(credentials.username)
  await page.getByLabel(/Mot de passe|Password/).fill(credentials.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL(`**${to}`)
}

/** Expects no violation of WCAG 2.2 AA on the current page. */
export async function expectAccessible(page: Page): Promise<void> {
  // A loading page has no heading yet.
  const heading = await page.waitForSelector('h1', { state: 'attached' })
  const { violations } = await new AxeBuilder({ page })
    // Passed rules are not reported one by one, and frames are skipped: at least twice as fast.
    .options({ resultTypes: ['violations'] })
    .setLegacyMode(page.frames().length === 1)
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  // After a navigation during the check, neither page was checked completely.
  const isSamePage = await heading.evaluate((element) => element.isConnected)
  if (!isSamePage) return expectAccessible(page)
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join('\n  ')}`)
  expect(found).toEqual([])
}

/** Holds back the page's scripts until the returned function is called. */
export async function holdScripts(page: Page) {
  const wanted = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await wanted.promise
    await route.continue()
  })
  return () => wanted.resolve()
}

/** Resolves once the page is hydrated and its scripts handle events. A page that waits until it is used is used. */
export async function hydrated(page: Page) {
  await page.waitForFunction(isHydrated, undefined, { polling: 50 })
}

/** Runs in the page. */
export function isHydrated() {
  type Fiber = { return?: Fiber; stateNode: { current: { memoizedState: { isDehydrated?: boolean } } } }
  const main = document.querySelector('main') as unknown as Record<string, Fiber> | null
  let root = main?.[Object.keys(main).find((key) => key.startsWith('__reactFiber')) ?? '']
  while (root?.return) root = root.return
  // React hydrates in slices: an element has its fiber before the whole page is hydrated.
  const isWhole = root?.stateNode.current.memoizedState.isDehydrated === false
  // The form of a posting has a Suspense boundary of its own, which React hydrates after the rest.
  const forms = [...document.querySelectorAll('[aria-labelledby=postuler] form')]
  const isDone = isWhole && forms.every((form) => Object.keys(form).some((key) => key.startsWith('__reactFiber')))
  // Again each time: the page listens only after its first paint, and has no body at the start of a load.
  if (!isDone) document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift', bubbles: true }))
  return isDone
}

function watch(page: Page) {
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => problems.push(`${error.name}: ${error.message}`))
  return problems
}

function expectQuiet(problems: string[], expected: string[]) {
  expect(problems.filter((problem) => !expected.some((text) => problem.includes(text)))).toEqual([])
}
