import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { localTime } from '../src/lib/time/zoned-time.ts'
import { expect, expectAccessible, hydrated, signIn, test } from './fixtures.ts'
import type { Product } from './product.ts'
import { makeNextBuild } from './next-build.ts'
import { openCounter } from './technician.ts'

const screen = '/admin/parameters/updater'
const zone = 'America/Toronto'
const inMinutes = (minutes: number) => localTime(zone, new Date(Date.now() + minutes * 60_000))
/** A countdown, such as `1 h 29 min 54 s`. */
const secondsOf = (text: string) => (text.match(/\d+/g) ?? []).reduce((seconds, part) => seconds * 60 + Number(part), 0)
const banner = (page: Page) => page.getByRole('region', { name: /Mise à jour du système|System update/ })

function announce(product: Product, ...words: string[]) {
  return promisify(execFile)(process.execPath, ['scripts/guichet.mjs', 'announce', ...words], {
    env: { ...process.env, DATA_DIR: product.dataDir, PORT: new URL(product.address()).port },
    timeout: 60_000,
  })
}

async function setUpdate(page: Page, when: string) {
  await page.goto(screen)
  await page.getByLabel('Prochaine mise à jour').fill(when)
  await page.getByLabel('Message', { exact: true }).fill('Nouveau pare-feu')
  await page.getByLabel('Message (Anglais)').fill('New firewall')
  await page.getByLabel('Annoncer aussi aux visiteurs').check()
  await page.getByRole('checkbox', { name: 'Tout le réseau' }).first().check()
  await page.getByRole('button', { name: 'Sauvegarder' }).click()
}

test('announces an update to connected and later users, and removes it', async ({ staff, newPerson, page }) => {
  test.slow()
  const colleague = await newPerson()
  await signIn(colleague)
  await colleague.goto('/admin/emplois')
  await page.goto('/reseau?lang=en')
  await hydrated(page)

  await staff.goto(screen)
  await staff.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(staff.getByLabel('Prochaine mise à jour')).toHaveAttribute('aria-invalid', 'true')
  const canceled = staff.getByRole('row', { name: /Annulée/ })
  const canceledBefore = await canceled.count()
  await expectAccessible(staff)
  await staff.getByLabel('Prochaine mise à jour').fill('2027-03-14T02:30')
  await staff.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(staff.getByText('Cette heure n’existe pas')).toBeVisible()

  const begins = Math.floor(Date.now() / 60_000 + 90) * 60_000
  await setUpdate(staff, localTime(zone, new Date(begins)))
  for (const person of [staff, colleague]) {
    await expect(banner(person)).toContainText('5 minutes avant et après')
    await expect(banner(person)).toContainText('502')
    await expect(banner(person)).toContainText('Nouveau pare-feu')
    const timer = banner(person).getByRole('timer')
    await expect(timer).toHaveText(/^1\sh\s\d\d\smin \d\d\ss$/)
    await expect.poll(async () => Math.abs(secondsOf(await timer.innerText()) - (begins - Date.now()) / 1_000)).toBeLessThan(3)
    await expectAccessible(person)
  }
  // What was chosen stays when something else changes.
  await staff.getByLabel('Durée prévue (minutes)').fill('45')
  await staff.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect
    .poll(async () => (await staff.request.get('/api/updates/alert')).json())
    .toMatchObject({ duration_minutes: 45, elements: [{ nom: '' }] })
  const maintenance = page.getByRole('region', { name: 'Scheduled maintenance' })
  await expect(maintenance).toContainText('Scheduled')
  await expect(maintenance).toContainText('New firewall')
  await expectAccessible(page)
  await expect(page.getByRole('link', { name: /^Subscribe/ })).toHaveAttribute('href', /^webcal:\/\/.+\/reseau\/calendar\.ics$/)

  const late = await newPerson()
  await signIn(late)
  await expect(banner(late)).toContainText('Nouveau pare-feu')

  await staff.getByRole('button', { name: 'Retirer l’alerte' }).click()
  await expectAccessible(staff)
  await staff.getByRole('alertdialog').getByRole('button', { name: 'Retirer l’alerte' }).click()
  await expect(staff.getByText('L’alerte de mise à jour a été retirée')).toBeVisible()
  for (const person of [staff, colleague, late]) await expect(banner(person)).toHaveCount(0)
  await expect(maintenance).toHaveCount(0)
  await expect(canceled).toHaveCount(canceledBefore + 1)
})

test('keeps typed text during the update; each page recovers and offers to reload', async ({
  staff,
  newPerson,
  page,
  product,
  expectedErrors,
}) => {
  test.slow()
  expectedErrors.push('ERR_CONNECTION_REFUSED', 'ERR_EMPTY_RESPONSE', 'ERR_CONNECTION_RESET', 'ERR_INCOMPLETE_CHUNKED_ENCODING')
  // A page that asks while the server stops or starts, also for the pages that it links to.
  expectedErrors.push('503 (Service Unavailable)', 'manifest patches')
  const colleague = await newPerson()
  await signIn(colleague)
  await page.goto('/')
  await hydrated(page)
  await staff.goto('/admin/note_nouveau')
  await staff.getByLabel('Date').fill('1er décembre')
  await staff.getByLabel('Note', { exact: true }).fill('Écrite avant la mise à jour')

  const { stdout } = await announce(product, inMinutes(3), '--message', 'Version 2')
  expect(stdout).toContain('The next update is announced')
  for (const person of [staff, colleague]) {
    await expect(banner(person)).toContainText('Sauvegardez votre travail')
    await expect(banner(person)).toContainText('Version 2')
  }

  const build = makeNextBuild()
  await product.restart('SIGTERM', build.folder)
  const offer = 'Une nouvelle version du site est en ligne.'
  for (const person of [staff, colleague, page]) await expect(person.getByText(offer)).toBeVisible({ timeout: 30_000 })
  await expectAccessible(page)
  await expectAccessible(staff)
  await expect(banner(staff)).toContainText('Version 2')
  await expect(staff.getByLabel('Note', { exact: true })).toHaveValue('Écrite avant la mise à jour')

  staff.on('dialog', (dialog) => void dialog.accept())
  await staff.getByRole('button', { name: 'Recharger la page' }).click()
  await expect(staff.getByText('Vos modifications non')).toBeVisible()
  await expect(staff.getByLabel('Note', { exact: true })).toHaveValue('Écrite avant la mise à jour')
  await expect(staff.getByText(offer)).toHaveCount(0)
  await staff.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(staff.getByRole('cell', { name: 'Écrite avant la mise à jour' })).toBeVisible()

  await announce(product, '--remove')
  for (const person of [staff, colleague]) await expect(banner(person)).toHaveCount(0)
  await product.restart('SIGTERM', process.cwd())
  build.remove()
})

test('shows a public update in the visitor’s chat; a technician notifies visitors with one click, in their language', async ({
  staff,
  page,
  product,
  expectedErrors,
}) => {
  test.slow()
  expectedErrors.push('ERR_INTERNET_DISCONNECTED', 'WebSocket connection to', 'The server cannot be reached')
  const counter = await openCounter(staff, product.address())
  const visitor = `Zoe ${Date.now()}`
  await page.goto('/?lang=en')
  await hydrated(page)
  await page.getByRole('button', { name: /^Live chat/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill('zoe@client.example')
  await dialog.getByLabel('Name', { exact: true }).fill(visitor)
  await dialog.getByRole('button', { name: 'Talk to a technician' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Write a message' })).toBeFocused()
  await counter.claim(visitor)

  const start = inMinutes(20)
  await setUpdate(staff, start)
  const notice = dialog.getByRole('paragraph').filter({ hasText: /^Update scheduled for/ })
  await expect(notice).toContainText('New firewall')
  await expectAccessible(page)
  await staff.goto('/admin/chat')
  // In the last minutes of a day, the update is tomorrow.
  const isToday = inMinutes(0).slice(0, 10) === start.slice(0, 10)
  const told = dialog
    .getByRole('log')
    .getByText(isToday ? /A system update is scheduled today at \d/ : /A system update is scheduled on \w.+ at \d/)
  await staff.getByRole('button', { name: /^Aviser/ }).click()
  await expect(told).toHaveCount(1)
  await expect(staff.getByText(/a été avisé|ont été avisés/)).toBeVisible()
  await expectAccessible(staff)

  await staff.reload()
  await staff.getByRole('button', { name: /^Aviser/ }).click()
  await expect(staff.getByText(/a été avisé|ont été avisés/)).toBeVisible()
  await expect(told).toHaveCount(1)
  // Removed while the visitor is offline, it is not shown when they return.
  await page.context().setOffline(true)
  await expect(dialog.getByText('Connection lost.', { exact: false })).toBeVisible()
  await announce(product, '--remove')
  await expect(staff.getByText(/a été avisé|ont été avisés/)).toHaveCount(0)
  await expect(notice).toBeVisible()
  await page.context().setOffline(false)
  await expect(notice).toHaveCount(0, { timeout: 20_000 })
  await counter.leave()
})
