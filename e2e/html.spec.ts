import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { adminAddresses } from '../scripts/page-addresses.ts'
import { publicPaths } from './public-addresses.ts'
import { expect, test } from './fixtures.ts'

/** The Nu HTML Checker. */
const checker = String(createRequire(import.meta.url)('vnu-jar'))
const languages = ['fr', 'en'] as const

/** On narrow screens rows are drawn as cards, and browsers would no longer say that they are rows: the roles say it. */
const needed = /^The “role” attribute must not be used on a “t[rhd]” element which has a “table” ancestor/

type Message = { type: string; url: string; lastLine?: number; message: string; extract?: string }

/** Expects no error in these documents, by the name of their page. */
function expectValid(documents: Record<string, string>) {
  const names = Object.keys(documents)
  const files = names.map((name, index) => {
    const file = test.info().outputPath(`${index}.html`)
    writeFileSync(file, documents[name] ?? '')
    return file
  })
  expect(files.length).toBeGreaterThan(0)
  const { stdout } = spawnSync(
    'java',
    ['-jar', checker, '--format', 'json', '--stdout', '--exit-zero-always', '--errors-only', ...files],
    {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    },
  )
  const { messages } = JSON.parse(stdout) as { messages: Message[] }
  const wrong = messages.filter(({ message }) => !needed.test(message))
  const found = wrong.map(({ url, message, extract = '' }) => {
    const index = files.findIndex((file) => url.endsWith(file))
    return `${names[index]}: ${message} ${extract}`
  })
  expect(found).toEqual([])
}

test.describe('the Nu HTML Checker finds no error', () => {
  test.slow()

  test('in the HTML of any public page, in both languages', async ({ request }) => {
    const documents: Record<string, string> = {}
    for (const language of languages) {
      for (const path of publicPaths) {
        const address = `${path}?lang=${language}`
        documents[address] = await (await request.get(address)).text()
      }
    }
    // Pages of one entry, which the lists link to.
    for (const [list, pattern] of [
      ['/emploi', /href="(\/emploi\/voir\/[^"#?]+)/],
      ['/team', /href="(\/team\/employe\/[^"#?]+)/],
      ['/aide', /href="(\/aide\/[^"#?.]+)/],
    ] as const) {
      for (const language of languages) {
        const found = pattern.exec(documents[`${list}?lang=${language}`] ?? '')?.[1]
        expect(found, list).toBeDefined()
        const address = `${found}?lang=${language}`
        documents[address] = await (await request.get(address)).text()
      }
    }
    const missing = await request.get('/nowhere')
    documents['/nowhere'] = await missing.text()
    expectValid(documents)
  })

  for (const language of languages) {
    test(`in any main page of the administration: ${language}`, async ({ staff }) => {
      await staff.addInitScript((choice) => localStorage.setItem('application_default_language', choice), language)
      const documents: Record<string, string> = {}
      for (const address of adminAddresses().filter((one) => !/[:*]|login/.test(one))) {
        await staff.goto(address)
        await staff.locator('main h1').first().waitFor()
        documents[address] = await readDocument(staff)
      }
      expectValid(documents)
    })
  }
})

/** The document as the browser has it once its data has arrived. */
async function readDocument(page: Page) {
  await expect(page.locator('[aria-busy=true]').filter({ visible: true })).toHaveCount(0)
  return page.evaluate(() => `<!doctype html>${document.documentElement.outerHTML}`)
}
