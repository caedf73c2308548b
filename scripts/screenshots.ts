// `npm run screenshots`: every page and admin screen at 390, 1366 and 1440 px in both languages, into screenshots/, after a build.
// `-- /admin/users /contact` takes these alone, `-- --dark` as a dark screen shows them, `-- --readme` the picture of the README.
import { mkdirSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { chromiumPath } from '../e2e/chromium.ts'
import { chromium } from '@playwright/test'
import { company } from '#company/company.ts'
import { administrator, startProduct } from '../e2e/product.ts'
import type { Language } from '../src/lib/language/language.ts'
import { languageStorageKey, languages, locales } from '../src/lib/language/language.ts'
import { adminAddresses, findList, publicPages } from './page-addresses.ts'

const folder = 'screenshots'
const widths = { 390: 844, 1366: 700, 1440: 900 }
const options = process.argv.slice(2)
const asked = options.filter((option) => option.startsWith('/'))
const colorScheme = options.includes('--dark') ? ('dark' as const) : ('light' as const)

const entries = {
  '/api/mailer/support': {
    firstname: 'Louise',
    lastname: 'Gagné',
    email: 'louise.gagne@example.com',
    phone: '418 555-0134',
    subject: 'L’imprimante de la réception n’imprime plus',
    description: 'Depuis ce matin, elle affiche « hors ligne ».\nNous avons essayé de la redémarrer deux fois.',
  },
  '/api/chat/canned_replies': {
    shortcut: 'bonjour',
    reply: 'Bonjour ! Comment puis-je vous aider ?',
    reply_en: 'Hello! How can I help you?',
  },
  '/api/privacy/incidents': {
    information: 'Le nom et le courriel de douze clients',
    circumstances: 'Une liste a été envoyée au mauvais destinataire, qui l’a détruite le jour même.',
    happened: 'Le 12 novembre 2026',
    discovered_on: '2026-11-12',
    people_count: 12,
    risk_assessment: 'Faible : le destinataire est connu et a confirmé la destruction.',
    serious_risk: false,
    commission_told_on: null,
    people_told_on: null,
    measures: 'Rappel de la procédure d’envoi à toute l’équipe.',
  },
}

const product = await startProduct()
const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
try {
  if (options.includes('--readme')) await takeReadme()
  else await takeAll()
} finally {
  await browser.close()
  await product.stop()
}

/** While a technician is there, at whatever hour it is taken. */
async function takeReadme() {
  const staff = await browser.newContext({ baseURL: product.address(), locale: locales.fr, storageState: await signIn() })
  const counter = await staff.newPage()
  await open(counter, '/admin/chat')
  await counter.getByRole('button', { name: 'Me rendre disponible' }).click()
  await counter.getByRole('button', { name: 'Me rendre indisponible' }).waitFor()
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    locale: 'fr-CA',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })
  await open(page, '/')
  await page.screenshot({ path: 'docs/screenshot.png' })
}

async function takeAll() {
  mkdirSync(folder, { recursive: true })
  const session = await signIn()
  for (const language of languages) {
    const settings = {
      baseURL: product.address(),
      locale: locales[language],
      timezoneId: company.hours.timeZone,
      colorScheme,
      reducedMotion: 'reduce' as const,
    }
    const cookie = { name: languageStorageKey, value: language, url: product.address() }
    const visitor = await browser.newContext(settings)
    await visitor.addCookies([cookie])
    await takeEach(await visitor.newPage(), language, [...publicPages(), '/nulle-part', '/admin/login'])
    await visitor.close()
    const staff = await browser.newContext({ ...settings, storageState: session })
    await staff.addCookies([cookie])
    await takeEach(await staff.newPage(), language, adminAddresses())
    await staff.close()
  }
}

/** Signs in, and adds entries that the sample content lacks, so that each screen shows something. */
async function signIn() {
  const staff = await browser.newContext({ baseURL: product.address() })
  await staff.request.get('/api/auth/me/is_connected')
  for (const [address, data] of Object.entries({ '/api/auth/login': administrator, ...entries })) {
    const token = (await staff.cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
    const headers = { 'x-xsrf-token': decodeURIComponent(token), origin: product.address() }
    const response = await staff.request.post(address, { headers, data })
    if (!response.ok()) throw new Error(`${address} answered ${response.status()}: ${await response.text()}`)
  }
  return staff.storageState()
}

async function takeEach(page: Page, language: Language, addresses: string[]) {
  await page.addInitScript(([key, value]) => localStorage.setItem(key ?? '', value ?? ''), [languageStorageKey, language])
  for (const address of addresses) {
    if (asked.length > 0 && !asked.some((wanted) => address === wanted || address.startsWith(`${wanted}/`))) continue
    const real = await resolve(page, address)
    if (!real) {
      console.log(`${address}: no entry to show`)
      continue
    }
    for (const [width, height] of Object.entries(widths)) {
      await page.setViewportSize({ width: Number(width), height })
      await open(page, real)
      await page.locator(`html[lang=${locales[language]}]`).waitFor({ state: 'attached' })
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      const pageName = address.slice(1).replaceAll(/\W+/g, '-') || 'home'
      const name = `${pageName}.${language}.${width}${colorScheme === 'dark' ? '.dark' : ''}.png`
      await page.screenshot({ path: `${folder}/${name}`, fullPage: true })
      console.log(wider > 0 ? `${name}: ${wider} px too wide` : name)
    }
  }
}

async function open(page: Page, address: string) {
  await page.goto(new URL(address, product.address()).href, { waitUntil: 'load' })
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(() => !document.querySelector('.skeleton'))
  await page.evaluate(() => document.fonts.ready)
}

async function resolve(page: Page, address: string) {
  const [name] = /:\w+/.exec(address) ?? []
  if (!name) return address
  const list = findList(name, address)
  if (!list) return findInSitemap(page, address, name)
  const response = (await (await page.request.get(list)).json()) as Record<string, unknown>[]
  const key = name === ':id' ? Object.keys(response[0] ?? {}).find((one) => one.startsWith('id_')) : name.slice(1)
  const id = response[0]?.[key ?? '']
  return id === undefined ? null : address.replace(name, String(id))
}

/** A page whose entries are found by another name than their id. */
async function findInSitemap(page: Page, address: string, name: string) {
  const sitemap = await (await page.request.get('/sitemap.xml')).text()
  const [before = '', after = ''] = address.split(name)
  const found = [...sitemap.matchAll(/<loc>https?:\/\/[^/<]+([^<?]+)/g)].find(
    ([, path = '']) => path.startsWith(before) && path.endsWith(after) && path.length > before.length + after.length,
  )
  return found?.[1] ?? null
}
