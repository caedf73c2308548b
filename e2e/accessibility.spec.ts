import type { Page } from '@playwright/test'
import { adminAddresses } from '../scripts/page-addresses.ts'
import { expect, hydrated, test } from './fixtures.ts'
import { checkByEqualAccess } from './ibm-engine.ts'
import { publicPaths } from './public-addresses.ts'
import { checkByQualWeb } from './qualweb-engine.ts'
import { open, words } from './visitor.ts'

const languages = ['fr', 'en'] as const
/** All of the administration takes longer than one journey may. */
const parts = 3
const shownAt = { width: 390, height: 844 }

const findViolations = async (page: Page) => [...(await checkByEqualAccess(page)), ...(await checkByQualWeb(page))]

// What other journeys leave behind would make the pages others each time. QualWeb parses HTML, which the product's policy forbids.
test.use({ isAlone: true, bypassCSP: true, contextOptions: { reducedMotion: 'reduce' } })

test('IBM Equal Access and QualWeb find a button without a name', async ({ page }) => {
  await page.goto('/about')
  await hydrated(page)
  await page.evaluate(() => document.querySelector('main')?.append(document.createElement('button')))
  expect(await checkByEqualAccess(page)).toContainEqual(expect.stringContaining('input_label_exists'))
  expect(await checkByQualWeb(page)).toContainEqual(expect.stringContaining('QW-ACT-R11'))
})

test.describe('IBM Equal Access and QualWeb find no violation', () => {
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

    test(`on public pages in use: ${language}`, async ({ page, newPerson }) => {
      const t = words[language]
      await page.setViewportSize(shownAt)
      await page.goto(`/appel-de-service?lang=${language}`)
      await hydrated(page)
      await page.locator('main form button').last().click()
      await expect(page.locator('main [aria-invalid=true]').first()).toBeFocused()
      expect(await findViolations(page), 'a form with errors').toEqual([])
      const visitor = await newPerson({ viewport: shownAt })
      await open(visitor, language, t)
      await expect(visitor.getByRole('dialog').getByRole('button', { name: t.leave })).toBeEnabled()
      expect(await findViolations(visitor), 'the chat').toEqual([])
    })
  }
})
