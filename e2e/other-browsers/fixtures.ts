import { writeFile } from 'node:fs/promises'
import { expect, test as base } from '../fixtures.ts'
import { createFirefox, hasFirefox } from './firefox.ts'
import type { Tab } from './tab.ts'
import { createWebKit, hasWebKit } from './webkit.ts'

export const browsers = [
  { name: 'Firefox', isInstalled: hasFirefox, packages: 'firefox-esr' },
  { name: 'WebKit', isInstalled: hasWebKit, packages: 'webkit2gtk-driver, gir1.2-webkit2-4.1, python3-gi and xvfb' },
] as const
type Name = (typeof browsers)[number]['name']
const sizes: Record<'phone' | 'desk', [number, number]> = { phone: [390, 844], desk: [1440, 900] }

type TestFixtures = {
  browserKind: Name
  /** Opens another user's browser. At the end, what it wrote to its console as an error fails the test. */
  openTab: (width: keyof typeof sizes) => Promise<Tab>
}
/** Each starts with its first tab. */
type WorkerFixtures = { openers: Record<Name, (origin: string) => Promise<Tab>> }

/** Chromium and Firefox know this directive; where it is not known, `default-src` holds. */
const unknownDirective = "Unrecognized Content-Security-Policy directive 'manifest-src'"
/** What a page that is being left logs of its last requests. Elsewhere a journey fails by what such a request did not bring. */
const cancelled = [
  'Failed to fetch manifest patches',
  'error loading dynamically imported module',
  'Importing a module script failed',
  'due to access control checks',
  'WebSocket is closed due to suspension',
]

/** Also prints the text: of a failure on another machine often only the output is available. */
async function saveScreen(tab: Tab, path: string) {
  console.log(path, await tab.evaluate(() => document.body.innerText))
  await writeFile(path, await tab.screenshot())
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  browserKind: ['Firefox', { option: true }],
  openers: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const [firefox, webKit] = [createFirefox(), createWebKit()]
      await use({ Firefox: firefox.openTab, WebKit: webKit.openTab })
      await firefox.stop()
      await webKit.stop()
    },
    { scope: 'worker' },
  ],
  openTab: async ({ browserKind, openers, product, expectedErrors }, use, info) => {
    const tabs: Tab[] = []
    await use(async (width) => {
      const tab = await openers[browserKind](product.address())
      tabs.push(tab)
      await tab.resize(...sizes[width])
      return tab
    })
    const hasFailed = info.status !== info.expectedStatus
    for (const [index, tab] of tabs.entries()) {
      if (hasFailed) await saveScreen(tab, info.outputPath(`tab-${index + 1}.png`))
      await tab.close()
    }
    const isExpected = (problem: string) =>
      [unknownDirective, ...cancelled, ...expectedErrors].some((text) => problem.includes(text))
    for (const { problems } of tabs) expect(problems.filter((problem) => !isExpected(problem))).toEqual([])
  },
})
