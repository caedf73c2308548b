import type { APIResponse, Page, Route } from '@playwright/test'
import { expect, expectAccessible, hydrated, test } from './fixtures.ts'
import { fillIn, forms } from './request-forms.ts'

/** Requests of the router for another page, without the page's own document. */
const data = /\/api\/(jobs|networks)\/|\.data(\?|$)|\/__manifest\?/
const page404 = { status: 404, contentType: 'text/html', body: '<h1>Not Found</h1>' }
const portal = '<!doctype html><title>Wi-Fi</title><h1>Sign in to the network</h1>'

const faults: Record<string, (route: Route) => Promise<void>> = {
  'a portal’s page': (route) => route.fulfill({ contentType: 'text/html', body: portal }),
  'a 502': (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
  'a 511': (route) => route.fulfill({ status: 511, contentType: 'text/html', body: portal }),
  '{}': (route) => route.fulfill({ json: {} }),
  'nothing, with a 200': (route) => route.fulfill({ status: 200, body: '' }),
  'a 204': (route) => route.fulfill({ status: 204 }),
  'a reset': (route) => route.abort('connectionreset'),
}

test.use({
  expectedErrors: ['Failed to load resource', 'manifest patches', 'Error loading route module', 'dynamically imported'],
})

/** Clicks on a link to the postings, and expects that page in a new document from the server. */
async function expectCareersLoadedWhole(page: Page, meanwhile = async () => undefined as unknown) {
  await page.evaluate(() => document.body.setAttribute('data-before', ''))
  await page.getByRole('contentinfo').getByRole('link', { name: 'Carrières' }).click()
  await meanwhile()
  await expect(page.getByRole('main').locator('[href^="/emploi/voir/"]').first()).toBeVisible()
  await expect(page.locator('[data-before]')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: /Une erreur est survenue|n’est pas arrivée/ })).toHaveCount(0)
}

test('loads the requested page in full when its data response is invalid', async ({ page }) => {
  test.slow()
  for (const [name, response] of Object.entries(faults)) {
    await test.step(name, async () => {
      await page.route(data, response)
      await page.goto('/about')
      await hydrated(page)
      await expectCareersLoadedWhole(page)
      await page.unroute(data)
    })
  }
})

test('loads the page in full when a file is missing after a release, and restores a begun form on Back', async ({ page }) => {
  await page.goto('/appel-de-service')
  await hydrated(page)
  const message = page.getByRole('textbox', { name: 'Description' })
  await message.fill('Le serveur de fichiers est arrêté.')
  await page.route('**/assets/jobs-page-*.js', (route) => route.fulfill(page404))
  await expectCareersLoadedWhole(page)
  await page.goBack()
  await expect(message).toHaveValue('Le serveur de fichiers est arrêté.')
})

test('shows progress, then the phone number, when a page hangs, and loads it in full', async ({ page }) => {
  await page.clock.install()
  for (const pattern of ['**/assets/jobs-page-*.js', '**/api/jobs/emplois']) {
    await page.route(pattern, () => undefined)
    await page.goto('/about')
    await hydrated(page)
    await expectCareersLoadedWhole(page, async () => {
      await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'true')
      await page.clock.fastForward(10_000)
    })
    await page.unroute(pattern)
  }
})

test('keeps the current page, with the phone number and a retry button, while the server is down', async ({ page }) => {
  await page.clock.install()
  const away = (url: URL) => url.pathname === '/emploi' || data.test(url.href)
  let fault: keyof typeof faults | null = null
  await page.route(away, (route) => (fault ? faults[fault]?.(route) : undefined))
  await page.goto('/appel-de-service?lang=en')
  await hydrated(page)
  const message = page.getByRole('textbox', { name: 'Description' })
  await message.fill('The file server is down.')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Careers' }).click()
  await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'true')
  await page.clock.fastForward(10_000)
  const words = page.getByRole('alert').filter({ hasText: 'The page did not arrive' })
  await expect(words.locator('[href^="tel:"]')).toBeVisible()
  await expect(message).toHaveValue('The file server is down.')
  await expectAccessible(page)
  // Another link hides the notice; an immediate error shows the same in the page.
  fault = 'a 502'
  await page.getByRole('contentinfo').getByRole('link', { name: 'Careers' }).click()
  await expect(page.getByRole('main').getByRole('heading', { name: 'The page did not arrive' })).toBeVisible()
  await expect(words).toHaveCount(0)
  await expectAccessible(page)
  await page.unroute(away)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Careers' })).toBeVisible()
})

test('Back restores the scroll position after a click, a reload and a full load', async ({ page }) => {
  const place = () => page.evaluate(() => Math.round(scrollY))
  await page.goto('/about/personal_information')
  await hydrated(page)
  await page.evaluate(() => scrollTo(0, 900))
  await page.getByRole('contentinfo').getByRole('link', { name: 'Carrières' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Carrières' })).toBeVisible()
  await expect.poll(place).toBe(0)
  await page.goBack()
  await expect.poll(place).toBeGreaterThan(800)
  const before = await place()
  await page.reload()
  await hydrated(page)
  await expect.poll(place).toBe(before)
  await page.goto('/contact')
  await hydrated(page)
  expect(await place()).toBe(0)
  await page.goBack()
  await hydrated(page)
  await expect.poll(place).toBe(before)
})

/** Words that are frequent in one language and no words of the other. */
const frequent = {
  fr: /(?<![\p{L}’'-])(?:le|la|les|des|du|une|et|est|sont|dans|pour|avec|nos|votre|vous|nous|qui|sur|par|aux)(?![\p{L}’'-])/giu,
  en: /(?<![\p{L}’'-])(?:the|and|of|is|are|with|your|our|you|we|to|for|this|from|that|by|at|it)(?![\p{L}’'-])/giu,
}

for (const { from, own, other } of [
  { from: '/?lang=en', own: 'en', other: 'fr' },
  { from: '/', own: 'fr', other: 'en' },
] as const) {
  test(`a crawler that starts at ${from} meets no page in the other language`, async ({ page, request }) => {
    test.slow()
    await page.goto('/robots.txt')
    const known = new Set<string>([from])
    let waiting = [from as string]
    const wrong: string[] = []
    while (waiting.length > 0) {
      const pages = await Promise.all(waiting.map(async (path) => readPage(path, await request.get(path))))
      const read = await page.evaluate(
        parsePages,
        pages.flatMap((one) => one ?? []),
      )
      waiting = []
      for (const { path, language, texts, links } of read) {
        if (!language.startsWith(own)) wrong.push(`${path} is in ${language}`)
        for (const text of texts.map((one) =>
          one.replaceAll(/Guichet Informatique et Télécom inc\.|\d+, rue du Comptoir/g, ''),
        )) {
          const [mine = 0, others = 0] = [own, other].map((one) => text.match(frequent[one])?.length ?? 0)
          if (others > 1 && mine === 0) wrong.push(`${path}: ${text}`)
        }
        for (const link of links.filter((one) => !known.has(one) && !noPage.test(one))) {
          known.add(link)
          waiting.push(link)
        }
      }
    }
    expect(wrong).toEqual([])
    expect(known.size).toBeGreaterThan(40)
  })
}

const noPage = /^\/(?:admin|login|api|public_api|downloads|media|assets|videos)(?:[/?]|$)|\.(?:xml|ics|pdf|zip|png|jpg)(?:\?|$)/

async function readPage(path: string, response: APIResponse) {
  const isPage = response.headers()['content-type']?.startsWith('text/html')
  return isPage ? { path, base: response.url(), html: await response.text() } : null
}

/** Runs in the browser: the texts of a page that have no language of their own, and its links but those to the other language. */
function parsePages(pages: { path: string; base: string; html: string }[]) {
  return pages.map(({ path, base, html }) => {
    const parsed = new DOMParser().parseFromString(html, 'text/html')
    const anchors = [...parsed.querySelectorAll('a[href]:not([hreflang])')]
    const found = anchors.map((one) => new URL(one.getAttribute('href') ?? '', base))
    const own = found.filter(({ origin }) => origin === new URL(base).origin)
    for (const one of parsed.querySelectorAll('body [lang], script, style, template')) one.remove()
    const blocks = [...parsed.querySelectorAll('h1, h2, h3, h4, p, li, td, th, dd, dt, a, button, label, summary')]
    return {
      path,
      language: parsed.documentElement.lang,
      texts: blocks.filter((one) => !one.querySelector('p, li, td, dd, h2, h3')).map((one) => (one.textContent ?? '').trim()),
      links: own.map(({ pathname, search }) => pathname + search),
    }
  })
}

test('a page reports where it went, what was begun and which campaign brought it', async ({ newPerson, staff }) => {
  test.slow()
  // The browser of these tests calls itself a robot.
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/159.0.0.0 Safari/537.36'
  const page = await newPerson({ userAgent })
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Toronto' }).format(new Date())
  const read = async (by: string) => {
    const response = await staff.request.get(`/api/visits?from=${day}&to=${day}&by=${by}`)
    const rows = (await response.json()) as { key: string; views: number; visits: number; forms_begun: number }[]
    return Object.fromEntries(rows.map(({ key, views, visits, forms_begun: begun }) => [key, { views, visits, begun }]))
  }
  // Other journeys visit this product. What they send without having begun it counts as begun, and may hide one that was.
  const none = { views: 0, visits: 0, begun: 0 }
  const { '/': home = none, '/contact': contact = none } = await read('page')
  await page.goto('/?utm_source=infolettre&utm_medium=courriel&utm_campaign=novembre')
  await hydrated(page)
  await page.getByRole('contentinfo').locator('a[href="/contact"]').first().click()
  await expect(page).toHaveURL(/\/contact$/)
  await hydrated(page)
  await page.locator('form:has([name=client_id]) input:visible').first().fill('Annie')
  expect(await page.context().cookies()).toHaveLength(1)

  const counted = async () => {
    const [{ '/': first = none, '/contact': second = none }, { novembre }] = await Promise.all([read('page'), read('campaign')])
    return {
      home: { visits: first.visits - home.visits },
      contact: { views: second.views - contact.views, isBegun: second.begun > 0 },
      novembre,
    }
  }
  await expect.poll(counted).toMatchObject({
    home: { visits: 1 },
    contact: { views: 1, isBegun: true },
    novembre: { visits: 1, begun: 1 },
  })

  await staff.goto(`/admin/frequentation?from=${day}&to=${day}`)
  await expect(staff.getByRole('heading', { name: /\d visites? en 1\s?jour/ })).toBeVisible()
  await expect(staff.getByRole('rowheader', { name: 'novembre' })).toBeVisible()
  const plot = staff.getByRole('slider')
  await plot.press('Home')
  await expect(plot).toHaveAttribute('aria-valuetext', /\d visite/)
  await expectAccessible(staff)
})

test('a request says which campaign brought it', async ({ page, staff }) => {
  const text = `Une question ${test.info().testId}`
  await page.goto('/?utm_source=infolettre&utm_campaign=octobre')
  await hydrated(page)
  await page.getByRole('contentinfo').locator('a[href="/contact"]').first().click()
  await expect(page).toHaveURL(/\/contact$/)
  await fillIn(page, 'contact', text)
  await page.getByRole('button', { name: forms.contact.send }).click()
  await expect(page.getByText(forms.contact.number)).toBeVisible()
  const response = await staff.request.get(`/api/requests/requests?search=${encodeURIComponent(text)}`)
  const [request] = (await response.json()) as { id_request: number }[]
  await staff.goto(`/admin/demandes/${request?.id_request}`)
  await expect(staff.getByText('octobre, infolettre')).toBeVisible()
})
