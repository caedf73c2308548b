import type { Page, Route } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { openCounter } from './technician.ts'
import { allowFiles, logIn, open, words } from './visitor.ts'

const t = words.fr
const note = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`contenu de ${name}`) })
const failed = (page: Page, name: string) => page.getByRole('alert').filter({ hasText: `${name} n’a pas été envoyé.` })
const running = (page: Page, name: string) =>
  page
    .getByRole('status')
    .getByText(`Envoi de ${name}…`)
    .or(page.getByRole('progressbar', { name: new RegExp(name) }))

/** One file that the server fails to take, and one that is on its way until `release`. */
async function attachTwo(page: Page) {
  let held: Route | null = null
  const attach = '**/public_api/chat/attach'
  await page.route(attach, (route) => {
    const { name } = route.request().postDataJSON() as { name: string }
    if (name === 'perdu.txt') return route.fulfill({ status: 500, json: {} })
    held = route
  })
  const input = page.getByRole('dialog').locator('input[type=file]')
  await input.setInputFiles(note('perdu.txt'))
  await expect(failed(page, 'perdu.txt')).toBeVisible()
  await input.setInputFiles(note('lent.txt'))
  await expect(running(page, 'lent.txt')).toBeVisible()
  await expect.poll(() => held !== null).toBe(true)
  return async () => {
    await held?.continue()
    await page.unroute(attach)
  }
}

test('shows files on their way and failed ones through a lost connection, and sends each once', async ({
  page,
  staff,
  product,
  expectedErrors,
}) => {
  expectedErrors.push('500', 'WebSocket', 'ERR_FAILED')
  await allowFiles(staff)
  const counter = await openCounter(staff, product.address())
  const sockets: { close: () => Promise<void> }[] = []
  let isCut = false
  await page.routeWebSocket(/socket\.io/, (route) => {
    if (isCut) return void route.close()
    route.connectToServer()
    sockets.push(route)
  })
  await page.route('**/socket.io/**', (route) => (isCut ? route.abort() : route.continue()))
  await open(page, 'fr', t)
  const visitor = `Trombone ${Date.now()}`
  await logIn(page, t, visitor)
  const release = await attachTwo(page)
  isCut = true
  for (const socket of sockets) await socket.close()
  await expect(page.getByText(t.lost)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Joindre une image, un PDF ou un texte' })).toBeDisabled()
  await expect(running(page, 'lent.txt')).toBeVisible()
  await expect(failed(page, 'perdu.txt')).toBeVisible()
  await expectAccessible(page)
  isCut = false
  await expect(page.getByText(t.lost)).toBeHidden({ timeout: 20_000 })
  await expect(running(page, 'lent.txt')).toBeVisible()
  await release()
  await expect(running(page, 'lent.txt')).toBeHidden()
  await failed(page, 'perdu.txt').getByRole('button', { name: 'Réessayer' }).click()
  await expect(failed(page, 'perdu.txt')).toBeHidden()
  await expect.poll(counter.texts).toEqual(['lent.txt', 'perdu.txt'])
  await counter.close(await counter.claim(visitor))
  await counter.leave()
})

test('tells after the end which files were not sent', async ({ page, staff, product, expectedErrors }) => {
  expectedErrors.push('500', '409')
  await allowFiles(staff)
  const counter = await openCounter(staff, product.address())
  await open(page, 'fr', t)
  const visitor = `Pièce ${Date.now()}`
  await logIn(page, t, visitor)
  const release = await attachTwo(page)
  await counter.close(await counter.claim(visitor))
  await expect(page.getByRole('heading', { name: t.over })).toBeVisible()
  await expect(failed(page, 'perdu.txt')).toBeVisible()
  await expect(running(page, 'lent.txt')).toBeVisible()
  await release()
  await expect(failed(page, 'lent.txt')).toBeVisible()
  await expectAccessible(page)
  await counter.leave()
})
