import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { adminAddresses } from '../scripts/page-addresses.ts'
import { expect, hydrated, test } from './fixtures.ts'
import { publicPaths } from './public-addresses.ts'

/** The engine of IBM Equal Access, which sees other things than axe. */
const engine = readFileSync(createRequire(import.meta.url).resolve('accessibility-checker-engine'), 'utf8')
const languages = ['fr', 'en'] as const
/** All of the administration takes longer than one journey may. */
const parts = 3
const shownAt = { width: 390, height: 844 }

type Result = { ruleId: string; message: string; snippet: string; value: [kind: string, outcome: string]; node: Node }
type Engine = { Checker: new () => { check: (node: Document, rules: string[]) => Promise<{ results: Result[] }> } }

/** What is wrong for certain; what somebody should look at is left out. */
async function findViolations(page: Page) {
  await page.evaluate(engine)
  return page.evaluate(async () => {
    const { ace } = globalThis as unknown as { ace: Engine }
    const { results } = await new ace.Checker().check(document, ['IBM_Accessibility', 'WCAG_2_2'])
    // Words that screen readers alone get are words, too.
    const hasWords = ({ ruleId, node }: Result) => ruleId === 'label_content_exists' && Boolean(node.textContent?.trim())
    // A table that is wider than its frame is scrolled by the keyboard.
    const isScrolled = ({ ruleId, node }: Result) =>
      ruleId === 'element_tabbable_role_valid' && (node as Element).matches('[role=region].table-frame')
    const wrong = results.filter(
      (one) => one.value[0] === 'VIOLATION' && one.value[1] === 'FAIL' && !hasWords(one) && !isScrolled(one),
    )
    return wrong.map(({ ruleId, message, snippet }) => `${ruleId}: ${message} ${snippet}`)
  })
}

// What other journeys leave behind would make the pages others each time.
test.use({ isAlone: true })

test.describe('IBM Equal Access finds no violation', () => {
  test.slow()
  test.use({ expectedErrors: ['404 (Not Found)'] })

  for (const language of languages) {
    test(`on any public page: ${language}`, async ({ page }) => {
      const found: string[] = []
      for (const path of [...publicPaths, '/emploi/voir/1', '/team/employe/1', '/nowhere']) {
        await page.goto(`${path}?lang=${language}`)
        await hydrated(page)
        for (const violation of await findViolations(page)) found.push(`${path} ${violation}`)
      }
      expect(found).toEqual([])
    })

    for (let part = 0; part < parts; part += 1) {
      test(`on any main page of the administration: ${language}, ${part + 1} of ${parts}`, async ({ staff }) => {
        await staff.setViewportSize(shownAt)
        await staff.addInitScript((choice) => localStorage.setItem('application_default_language', choice), language)
        const addresses = adminAddresses().filter((one) => !/[:*]|login/.test(one))
        const found: string[] = []
        for (const address of addresses.filter((_, index) => index % parts === part)) {
          await staff.goto(address)
          await staff.locator('main h1').first().waitFor()
          await expect(staff.locator('[aria-busy=true]').filter({ visible: true })).toHaveCount(0)
          for (const violation of await findViolations(staff)) found.push(`${address} ${violation}`)
        }
        expect(found).toEqual([])
      })
    }
  }
})
