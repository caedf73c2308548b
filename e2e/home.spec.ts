import type { Page } from '@playwright/test'
import { callApi, expect, expectAccessible, hydrated, signIn, test } from './fixtures.ts'
import { changeChatSettings } from './technician.ts'

test('shows the home page in French by default, and in English once chosen', async ({ page }) => {
  await page.goto('/')
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr-CA')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Une vraie personne')
  await expect(page.getByText('1300+')).toBeVisible()
  await hydrated(page)
  const before = await page.context().cookies()
  expect(before.map((cookie) => cookie.name)).toEqual(['XSRF-TOKEN'])

  await page.getByRole('link', { name: 'EN, English' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US')
  expect(await page.evaluate(() => localStorage.getItem('application_default_language'))).toBe('en')

  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US')
  const html = await (await page.request.get('/')).text()
  expect(html).toContain('lang="en-US"')
})

test('serves ?lang=en in English, with links to both languages', async ({ request }) => {
  const html = await (await request.get('/?lang=en')).text()
  expect(html).toContain('<html lang="en-US"')
  expect(html).toMatch(/rel="canonical" href="http[^"]+\/\?lang=en"/)
  expect(html).toMatch(/hrefLang="fr"/i)
  expect(html).toMatch(/hrefLang="x-default"/i)
})

test('keeps the language in the address without JavaScript, and sets no cookie', async ({ newPerson }) => {
  const page = await newPerson({ javaScriptEnabled: false })
  await page.goto('/')
  await page.getByRole('link', { name: 'EN, English' }).click()
  await page.getByRole('contentinfo').getByRole('link', { name: 'Careers' }).click()
  await expect(page).toHaveURL(/\/emploi\?lang=en$/)
  await page.getByRole('contentinfo').getByRole('link', { name: 'Contact us' }).click()
  await expect(page).toHaveURL(/\/contact\?lang=en$/)
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US')
  expect((await page.context().cookies()).map((cookie) => cookie.name)).toEqual(['XSRF-TOKEN'])
  await page.getByRole('link', { name: 'FR, Français' }).click()
  await page.getByRole('contentinfo').getByRole('link', { name: 'Carrières' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr-CA')
})

test('keeps English from the address on each page, despite an earlier choice', async ({ page, product }) => {
  await page.context().addCookies([{ name: 'application_default_language', value: 'fr', url: product.address() }])
  await page.goto('/cloud?lang=EN')
  await hydrated(page)
  await page.getByRole('main').getByRole('link', { name: 'Contact us' }).first().click()
  await expect(page).toHaveURL(/\/contact\?lang=en$/)
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US')
  const links = page.locator('a[href^="/"]:not([hreflang])')
  expect(await links.evaluateAll((all) => all.filter((a) => !(a as HTMLAnchorElement).href.includes('lang=en')))).toEqual([])
})

test('the switch adds and removes the language in the address without a history entry', async ({ page }) => {
  await page.addInitScript(changeWhileNavigating)
  await page.goto('/about?utm_source=x#top')
  await hydrated(page)
  await page.waitForFunction(() => 'listensToChanges' in globalThis)
  const steps = await page.evaluate(() => history.length)
  const switchTo = (name: string) => page.getByRole('banner').getByRole('link', { name }).click()
  await switchTo('EN, English')
  await expect(page).toHaveURL(/\/about\?utm_source=x&lang=en#top$/)
  await expect(page).toHaveTitle(/^About/)
  await expect(page.locator('.long-text')).not.toHaveAttribute('lang')
  await switchTo('FR, Français')
  await expect(page).toHaveURL(/\/about\?utm_source=x#top$/)
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr-CA')
  expect(await page.evaluate(() => history.length)).toBe(steps)
  expect(await page.evaluate(() => localStorage.getItem('application_default_language'))).toBe('fr')
})

/** A technician arrives each time the router writes an address: the page renders again before the next one is shown. */
function changeWhileNavigating() {
  const listen = BroadcastChannel.prototype.addEventListener
  const write = history.replaceState.bind(history)
  BroadcastChannel.prototype.addEventListener = function (this: BroadcastChannel, ...registration: [string, never]) {
    const [, listener] = registration
    Object.assign(globalThis, { listensToChanges: true })
    history.replaceState = (...entry) => {
      write(...entry)
      const hours = { next_opening: null, closes_at: null, expected_minutes: null, week: [] }
      const zone = { time_zone: 'America/Toronto', zone_name: 'heure de l’Est', zone_name_en: 'Eastern time', utc_offset: -300 }
      const availability = { state: 'open', emergency: false, user_count: 1, ...hours, ...zone }
      ;(listener as (event: object) => void)({ data: { availability } })
    }
    listen.apply(this, registration)
  }
}

test('applies a stored choice of English where the address names no language', async ({ page }) => {
  await page.goto('/')
  await page.evaluate(() => localStorage.setItem('application_default_language', 'en'))
  await page.goto('/cloud?utm_source=x')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US')
  await expect(page).toHaveURL(/\/cloud\?utm_source=x&lang=en$/)
  await page.getByRole('banner').getByRole('link', { name: 'FR, Français' }).click()
  await expect(page).toHaveURL(/\/cloud\?utm_source=x$/)
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr-CA')
})

test('redirects handwritten and copied addresses to the page, never to another site', async ({ request }) => {
  const ask = async (url: string) => {
    const response = await request.get(url, { maxRedirects: 0 })
    return [response.status(), response.headers().location]
  }
  expect(await ask('/en')).toEqual([302, '/?lang=en'])
  expect(await ask('/fr/reseau?a=1')).toEqual([302, '/reseau?a=1&lang=fr'])
  expect(await ask('/reseau.')).toEqual([302, '/reseau'])
  expect(await ask('/reseau)?lang=en')).toEqual([302, '/reseau?lang=en'])
  expect(await ask('/en//evil.example/')).toEqual([302, '/evil.example/?lang=en'])
  expect(await ask('/nowhere.')).toEqual([404, undefined])
  expect(await ask('/emploi/voir/999999)')).toEqual([404, undefined])
  const icon = await request.get('/favicon.ico')
  expect([icon.status(), icon.headers()['content-type']]).toEqual([200, 'image/vnd.microsoft.icon'])
})

test('shows the toll-free number, the client area and the network status in the header', async ({ page }) => {
  await page.goto('/')
  const header = page.getByRole('banner')
  await expect(header.getByRole('link', { name: /1 800 555-0142/ })).toHaveAttribute('href', 'tel:+18005550142')
  await expect(header.getByRole('link', { name: /Espace client/ })).toBeVisible()
  await expect(header.getByRole('link', { name: /Réseau\s:/ })).toHaveAttribute('href', '/reseau')
})

test('the header keeps each of its entries on one line at 1280 and 1440, whatever the network status', async ({ page }) => {
  for (const path of ['/contact', '/contact?lang=en']) {
    await page.goto(path)
    await hydrated(page)
    for (const width of [1280, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      const wrapped = await page.getByRole('banner').evaluate((header) => {
        const status = header.querySelector('[aria-live] span')
        const words = ['Réseau\u00a0: en service', 'Réseau\u00a0: en panne', 'Réseau\u00a0: dégradé', 'Network: operational']
        return words.flatMap((word) => {
          if (status) status.textContent = word
          const entries = [...header.querySelectorAll('.menu-bar > ul > li, [aria-live] a, a.button')]
          return entries
            .filter((entry) => entry.getBoundingClientRect().height > 44)
            .map((entry) => `${word}: ${entry.textContent}`)
        })
      })
      expect(wrapped).toEqual([])
    }
  }
})

test('updates the header of each tab with the network status, in background tabs too', async ({ staff, page }) => {
  await page.goto('/about')
  const behind = await page.context().newPage()
  await behind.goto('/cloud')
  const tabs = [page, behind]
  const path = '/api/networks/reseau'
  const save = async (status: 'ONLINE' | 'OFFLINE') => {
    const [network] = await callApi<{ id_reseau: number; nom: string; details: string }[]>(staff, 'GET', path)
    const { nom, details } = network ?? {}
    await callApi(staff, 'PUT', `${path}/${network?.id_reseau}`, { nom, status, details })
  }

  await save('OFFLINE')
  for (const tab of tabs) {
    await expect(tab.getByRole('banner').getByRole('link', { name: 'Réseau\u00a0: en panne' })).toBeVisible()
  }
  // Whichever tab had the stream, the other continues without it.
  await page.close()
  await save('ONLINE')
  await expect(behind.getByRole('banner').getByRole('link', { name: 'Réseau\u00a0: en panne' })).toBeHidden()
  await behind.close()
})

test('on a phone the chat’s bubble never covers the number that is called at night', async ({ newPerson, staff, product }) => {
  const before = await changeChatSettings(staff, product.address(), { week: [] })
  for (const [language, width] of [
    ['fr', 390],
    ['en', 320],
  ] as const) {
    const page = await newPerson({ viewport: { width, height: 844 } })
    await page.goto(`/?lang=${language}`)
    const bubble = await page.locator('.chat-launcher').boundingBox()
    const number = await page.getByRole('main').locator('a[href^="tel:"]').first().boundingBox()
    expect((number?.x ?? Infinity) + (number?.width ?? 0)).toBeLessThanOrEqual(bubble?.x ?? 0)
  }
  await changeChatSettings(staff, product.address(), { week: before.week })
})

test('links the copyright line to the sign-in of the administration', async ({ page }) => {
  await page.goto('/')
  await hydrated(page)
  await page.getByRole('contentinfo').getByRole('link', { name: /©/ }).click()
  await expect(page).toHaveURL(/\/admin\/login$/)
})

test.describe('an address that does not exist', () => {
  test.use({ expectedErrors: ['404'] })

  test('shows Oops! and goes back one step', async ({ page }) => {
    expect((await page.request.get('/nulle-part')).status()).toBe(404)
    await page.goto('/reseau')
    await page.evaluate(() => location.assign('/nulle-part'))
    await expect(page.getByRole('heading', { name: 'Oops!' })).toBeVisible()
    await expectAccessible(page)
    await hydrated(page)
    await page.getByRole('main').getByRole('link').click()
    await expect(page).toHaveURL(/\/reseau$/)
  })

  test('goes to the home page without history', async ({ page }) => {
    await page.goto('/nulle-part')
    await hydrated(page)
    await page.getByRole('main').getByRole('link').click()
    await expect(page).toHaveURL(/\/$/)
  })
})

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]) {
  test(`is accessible in both languages and both palettes at ${viewport.width} px`, async ({ page }) => {
    await page.setViewportSize(viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const language of ['fr', 'en']) {
        await page.goto(`/?lang=${language}`)
        await expectAccessible(page)
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
      }
    }
  })
}

test.describe('in-place editing', () => {
  test.use({ expectedErrors: ['409'] })

  test('keeps the banner draft in the page until published, and does not overwrite a newer version unasked', async ({
    staff,
    page,
    newPerson,
  }) => {
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await page.goto('/')
    await hydrated(page)
    await expect(page.getByRole('button', { name: 'Modifier\u00a0: Bandeau d’urgence' })).toHaveCount(0)

    const other = await newPerson()
    await signIn(other)
    const write = async (who: Page, words: string) => {
      const tools = who.getByRole('region', { name: 'Modifier\u00a0: Bandeau d’urgence' })
      await tools.getByRole('button', { name: /Bandeau d’urgence$/ }).click()
      // In the page, in the place of the banner: no dialog, and publish and cancel in sight.
      await expect(who.getByRole('dialog')).toHaveCount(0)
      await expect(tools).toBeFocused()
      await tools.getByRole('textbox', { name: 'Message' }).fill(words)
      await expect(tools.getByRole('button', { name: 'Publier' })).toBeInViewport()
      await expect(tools.getByRole('button', { name: 'Annuler', exact: true })).toBeInViewport()
      await tools.getByRole('tab', { name: 'Français' }).press('ArrowRight')
      await expect(tools.getByRole('textbox', { name: 'Message' })).toHaveAttribute('lang', 'en-US')
      await expectAccessible(who)
      await tools.getByRole('button', { name: 'Voir le résultat dans la page' }).click()
      await expect(tools.getByRole('textbox')).toHaveCount(0)
      return tools
    }
    const bannerOf = (who: Page) => who.getByRole('region', { name: 'Avis urgent' })

    await staff.goto('/admin/panel')
    await expect(staff.getByRole('heading', { name: 'Section administrative' })).toBeVisible()
    const tab = await staff.context().newPage()
    await tab.goto('/')
    await expect(tab.getByRole('region', { name: 'Modifier\u00a0: Bandeau d’urgence' })).toContainText('Aucun bandeau')
    await tab.close()
    await staff.goto('/')
    await other.goto('/')
    const tools = await write(staff, 'Panne de téléphonie à Lévis.')
    const otherTools = await write(other, 'Tempête : bureau fermé.')
    await expect(bannerOf(staff)).toContainText('Panne de téléphonie à Lévis.')
    await expect(bannerOf(staff).getByRole('link', { name: 'Voir l’état du réseau' })).toHaveAttribute('href', '/reseau')
    await expect(bannerOf(page)).toHaveCount(0)

    await staff.getByRole('contentinfo').getByRole('link', { name: 'Carrières' }).click()
    await staff.getByRole('alertdialog').getByRole('button', { name: 'Rester' }).click()
    await tools.getByRole('button', { name: 'Publier' }).click()
    await expect(tools.getByRole('alert')).toContainText('Publié')
    await expect(bannerOf(page)).toContainText('Panne de téléphonie à Lévis.')
    await expect(page).toHaveTitle(/^\(!\) /)
    await expect(page.locator('link[rel=icon]')).toHaveAttribute('href', '/favicon-emergency.svg')
    await expect(page.getByRole('contentinfo')).toContainText('Avis urgent')

    await otherTools.getByRole('button', { name: 'Publier' }).click()
    await expect(otherTools.getByRole('alert')).toContainText('Quelqu’un d’autre a fait une modification entre-temps.')
    await expectAccessible(other)
    await otherTools.getByRole('button', { name: 'Abandonner' }).click()
    await expect(otherTools.getByRole('button', { name: /Bandeau d’urgence$/ })).toBeFocused()
    await expect(bannerOf(other)).toContainText('Panne de téléphonie à Lévis.')

    await write(other, '')
    await otherTools.getByRole('button', { name: 'Publier' }).click()
    await expect(bannerOf(page)).toHaveCount(0)
    expect(requested.filter((url) => /home-editing|editor/.test(url))).toEqual([])
  })
})
