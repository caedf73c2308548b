import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { callApi, expect, hydrated, test } from './fixtures.ts'

const nonceIn = (policy = '') => /'nonce-([^']+)'/.exec(policy)?.[1]

test('each page has a policy with a nonce of its own', async ({ request }) => {
  const nonces = new Set<string>()
  for (const address of ['/', '/', '/contact', '/reseau', '/admin/login', '/nothing']) {
    const response = await request.get(address)
    const policy = response.headers()['content-security-policy'] ?? ''
    const nonce = nonceIn(policy)
    expect(policy).toMatch(/default-src 'none'/)
    expect(policy).toMatch(/base-uri 'none'/)
    expect(policy).not.toMatch(/script-src[^;]*'unsafe/)
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(await response.text()).toContain(`nonce="${nonce}"`)
    nonces.add(nonce ?? '')
  }
  expect(nonces.size).toBe(6)
})

test('data in a page cannot end its script', async ({ staff, page }) => {
  const name = '</script><script>globalThis.isHit = true</script><img src=x onerror="isHit = true">'
  await createJob(staff, name)
  await page.goto('/emploi')
  await expect(page.getByText('</script>')).toBeVisible()
  await hydrated(page)
  expect(await page.evaluate(() => 'isHit' in globalThis)).toBe(false)
})

test('password fields are masked and allow password managers', async ({ page }) => {
  await page.goto('/admin/login')
  const field = page.getByLabel('Mot de passe', { exact: true })
  await expect(field).toHaveAttribute('type', 'password')
  await expect(field).toHaveAttribute('autocomplete', 'current-password')
  await field.evaluate((input: HTMLInputElement) => input.focus())
  await page.keyboard.insertText('Phrase-Collee-2026!')
  await expect(field).toHaveValue('Phrase-Collee-2026!')
})

test('the browser stores only the documented data', async ({ staff, page }) => {
  const practices = readFileSync('docs/security/practices.md', 'utf8')
  const sentence = /What a browser holds: (.+)/.exec(practices)?.[1] ?? ''
  const documented = [...sentence.matchAll(/`([^`]+)`/g)].map(([, key = '']) => key)
  await page.goto('/contact')
  await hydrated(page)
  await page.getByLabel('Message').fill('Bonjour')
  await page.getByRole('link', { name: 'EN, English' }).click()
  await staff.goto('/admin/panel')
  await expect(staff.getByRole('heading', { level: 1 })).toBeVisible()
  const storedNames = [...(await storedBy(page)), ...(await storedBy(staff))]
  expect(storedNames.length).toBeGreaterThan(4)
  expect(
    storedNames.filter(
      (key) => !documented.some((known) => key === known || (known.endsWith('…') && key.startsWith(known.slice(0, -1)))),
    ),
  ).toEqual([])
})

async function storedBy(page: Page) {
  const cookies = (await page.context().cookies()).map(({ name }) => name)
  const stored = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])
  return [...cookies, ...stored]
}

async function createJob(page: Page, title: string) {
  await callApi(page, 'POST', '/api/jobs/emplois', { titre: title, titre_en: title })
}
