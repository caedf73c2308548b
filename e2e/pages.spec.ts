import type { Page } from '@playwright/test'
import { createTestClient } from '../src/app/testing/test-client.ts'
import type { CompanySettings } from '../src/features/company/contract.ts'
import { expect, expectAccessible, holdScripts, hydrated, test } from './fixtures.ts'
import { administrator } from './product.ts'

test('links each service to the contact page, which names the service', async ({ page }) => {
  for (const path of ['/about', '/cloud', '/service', '/programmation', '/infrastructure']) {
    await page.goto(path)
    await hydrated(page)
    await page.getByRole('main').getByRole('link', { name: 'Nous joindre' }).first().click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contactez-nous! Service technique 24/7')
  }
  await expect(page.getByText('Avez-vous besoin de soutien informatique?')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Obtenir l’itinéraire' })).toHaveAttribute('href', /46\.8139/)
  await expect(page.getByRole('img', { name: /^Guichet, 1000/ })).toBeAttached()
})

test('updates title, address and structured data on client navigation', async ({ page }) => {
  await page.goto('/')
  await hydrated(page)
  const kinds = async () => {
    const all = await page.locator('script[type="application/ld+json"]').allTextContents()
    return all.map((text) => (JSON.parse(text) as { '@type': string })['@type'])
  }
  for (const [name, path, expected] of [
    ['Infonuagique', '/cloud', ['BreadcrumbList']],
    ['Soutien technique', '/support', ['BreadcrumbList', 'ProfessionalService']],
    ['Carrières', '/emploi', ['BreadcrumbList']],
  ] as const) {
    await page.getByRole('contentinfo').getByRole('link', { name }).click()
    await expect(page).toHaveURL(new RegExp(`${path}$`))
    await expect(page).toHaveTitle(new RegExp(`^${name} [|] Guichet$`))
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', new RegExp(`${path}$`))
    await expect.poll(kinds).toEqual([...expected])
  }
  await page
    .getByRole('main')
    .getByRole('link', { name: /technicien/i })
    .first()
    .click()
  await expect.poll(kinds).toContain('JobPosting')
})

test('the privacy policy has twelve sections, linked from its contents', async ({ page }) => {
  await page.goto('/about/personal_information')
  await expect(page.getByRole('main').locator('h2[id]')).toHaveCount(12)
  await page.getByRole('navigation', { name: 'Sur cette page' }).getByRole('link', { name: '11. Plaintes' }).click()
  await expect(page.getByRole('heading', { name: '11. Plaintes' })).toBeInViewport()
})

test.describe('the ten pictures', () => {
  const status = (page: Page) => page.getByText(/^\d+ sur 10$/)

  test('autoplay until paused, and wrap around by keyboard', async ({ page }) => {
    await page.clock.install()
    await page.goto('/wayOfLife')
    await expect(page.getByRole('button', { name: 'Mettre le défilement en pause' })).toBeVisible()
    await page.clock.runFor(8_000)
    await expect(status(page)).toHaveText('2 sur 10')
    await page.getByRole('button', { name: 'Mettre le défilement en pause' }).click()
    await page.clock.runFor(30_000)
    await expect(status(page)).toHaveText('2 sur 10')
    const row = page.getByRole('group', { name: 'Choisir une image' })
    await row.focus()
    await page.keyboard.press('Home')
    await expect(status(page)).toHaveText('1 sur 10')
    await page.keyboard.press('ArrowLeft')
    await expect(status(page)).toHaveText('10 sur 10')
    await page.keyboard.press('ArrowRight')
    await expect(status(page)).toHaveText('1 sur 10')
    await page.getByRole('button', { name: 'Aller à l’image 4' }).click()
    await expect(status(page)).toHaveText('4 sur 10')
  })

  test('do not autoplay with reduced motion', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.clock.install()
    await page.goto('/wayOfLife')
    await hydrated(page)
    await page.clock.runFor(30_000)
    await expect(status(page)).toHaveText('1 sur 10')
    // Swiping continues from there.
    await page
      .locator('figure')
      .nth(2)
      .evaluate((picture) => picture.scrollIntoView({ inline: 'start' }))
    await expect(page.locator('.carousel-ready')).toBeVisible()
    await expect(status(page)).toHaveText('3 sur 10')
    await page.getByRole('button', { name: 'Aller à l’image 1', exact: true }).click()
    await expect(status(page)).toHaveText('1 sur 10')
    await expect(page.getByRole('button', { name: 'Faire défiler les images' })).toBeVisible()
    // At another width the picture is still complete.
    await page.setViewportSize({ width: 390, height: 844 })
    const edges = () =>
      page.evaluate(() => {
        const left = (selector: string) => Math.round(document.querySelector(selector)?.getBoundingClientRect().left ?? 0)
        return [left('.carousel'), left('.carousel img')]
      })
    await expect.poll(async () => new Set(await edges()).size).toBe(1)
    await page.clock.runFor(1_000)
    await expect.poll(async () => new Set(await edges()).size).toBe(1)
  })

  test('go the other way in right-to-left text', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/wayOfLife')
    await hydrated(page)
    await page.evaluate(() => (document.documentElement.dir = 'rtl'))
    for (const number of [10, 2]) {
      await page.getByRole('button', { name: `Aller à l’image ${number}`, exact: true }).click()
      const apart = () =>
        page.evaluate((index) => {
          const [row, picture] = [document.querySelector('.carousel'), document.querySelectorAll('figure')[index]]
          return Math.abs((row?.getBoundingClientRect().right ?? 0) - (picture?.getBoundingClientRect().right ?? 0))
        }, number - 1)
      await expect.poll(apart).toBeLessThan(2)
      await expect(status(page)).toHaveText(`${number} sur 10`)
    }
    await page.keyboard.press('ArrowLeft')
    await expect(status(page)).toHaveText('3 sur 10')
  })

  test('continue from a position swiped to before the script loads', async ({ page }) => {
    const bringScripts = await holdScripts(page)
    await page.goto('/wayOfLife', { waitUntil: 'commit' })
    const row = page.locator('.carousel')
    // The row scrolls once its style sheet is loaded.
    const swipe = () =>
      row.evaluate((element) => {
        element.querySelectorAll('figure')[2]?.scrollIntoView({ inline: 'start' })
        return element.scrollLeft
      })
    await expect.poll(swipe).toBeGreaterThan(0)
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    bringScripts()
    await expect(status(page)).toHaveText('3 sur 10')
    await expect(page.locator('.carousel-ready')).toBeVisible()
  })

  test('scroll natively without JavaScript', async ({ newPerson }) => {
    const page = await newPerson({ javaScriptEnabled: false })
    await page.goto('/wayOfLife')
    await expect(page.getByRole('figure')).toHaveCount(10)
    await expect(page.getByRole('button', { name: 'Image suivante' })).toBeHidden()
    await page.getByRole('figure').last().scrollIntoViewIfNeeded()
    await expect(page.getByRole('figure').last()).toBeInViewport()
    // By keyboard too; each picture snaps to the edge.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/wayOfLife')
    await page.getByRole('group', { name: 'Choisir une image' }).focus()
    await page.keyboard.press('ArrowRight')
    const start = (await page.getByRole('group', { name: 'Choisir une image' }).boundingBox())?.x
    await expect.poll(async () => (await page.getByRole('img').nth(1).boundingBox())?.x).toBe(start)
  })
})

test('the chat button covers no other control on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/emploi')
  await page
    .getByRole('link', { name: /Voir le poste/ })
    .first()
    .click()
  const apply = await page.getByRole('link', { name: 'Poser ma candidature' }).boundingBox()
  const chat = await page.getByRole('complementary', { name: 'Clavarder' }).getByRole('button').boundingBox()
  expect(chat?.x).toBeGreaterThan((apply?.x ?? 0) + (apply?.width ?? 0))
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await page.getByText('Automatique', { exact: true }).click({ trial: true })
})

test('shows the three columns of a network on the narrowest screen', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/reseau')
  for (const table of await page.getByRole('table').all()) {
    const end = await table.boundingBox()
    const card = await table.locator('..').boundingBox()
    expect((end?.x ?? 0) + (end?.width ?? 0)).toBeLessThanOrEqual((card?.x ?? 0) + (card?.width ?? 0))
  }
})

test.describe('a tutorial', () => {
  test('requests no video before it is played, then plays it with captions', async ({ page }) => {
    const asked: string[] = []
    page.on('request', (request) => {
      if (/\/videos\/.*\.(mp4|vtt)/.test(request.url())) asked.push(request.url())
    })
    await page.goto('/telecom/phone_tutorial')
    await hydrated(page)
    const play = page.getByRole('link', { name: /^Lire la vidéo/ })
    await expect(play).toBeVisible()
    expect(asked).toEqual([])
    await play.click()
    const video = page.locator('video')
    await expect(video).toBeFocused()
    await expect.poll(() => asked.some((url) => url.endsWith('.mp4'))).toBe(true)
    await expect(video.locator('track')).toHaveAttribute('srclang', 'fr')
    await expect.poll(() => asked.some((url) => url.endsWith('.vtt'))).toBe(true)
  })

  test('says in English that it is in French, and marks its text as French', async ({ page }) => {
    await page.goto('/telecom/soft_phone_tutorial?lang=en')
    await expect(page.getByText('This tutorial is in French only')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveAttribute('lang', 'fr-CA')
    await expect(page.locator('.long-text')).toHaveAttribute('lang', 'fr-CA')
  })
})

test('offers a download with its size, and links an external one', async ({ page }) => {
  await page.goto('/support')
  const file = page.getByRole('link', { name: 'Télécharger : Assistance à distance pour Windows' })
  await expect(file).toHaveAttribute('href', '/downloads/assistance-windows.zip')
  await expect(page.getByText(/^Taille/)).toHaveCount(1)
  await expect(page.getByRole('link', { name: /^Ouvrir le site de l’éditeur/ })).toHaveAttribute(
    'href',
    'https://assistance.example.com/mac',
  )
  await expect(page.getByRole('link', { name: 'Faire un appel de service' })).toHaveAttribute('href', '/appel-de-service')
  await expect(page.getByRole('main').getByRole('link', { name: '418 555-0118' })).toHaveAttribute('href', 'tel:+14185550118')
})

test.describe('the map of the contact page', () => {
  test.use({ expectedErrors: ['404'] })

  test('shows tiles over the drawing once in view, and keeps the drawing if they fail', async ({ page }) => {
    const map = page.getByRole('region', { name: /^Carte autour du/ })
    const show = async (tilesUrl: string) => {
      await page.route('**/api/site/map', (route) =>
        route.fulfill({ json: { tilesUrl, directionsUrl: 'https://www.openstreetmap.org/', attribution: '© OSM', zoom: 15 } }),
      )
      await page.goto('/')
      await hydrated(page)
      await page.getByRole('contentinfo').getByRole('link', { name: 'Nous joindre' }).click()
      await page.getByRole('heading', { name: 'Où nous trouver' }).scrollIntoViewIfNeeded()
    }
    await show('/icon-192.png?{z}-{x}-{y}')
    await expect(map).toBeVisible()
    await expect(map.locator('.map-pin svg')).toBeVisible()
    await page.getByRole('button', { name: 'Agrandir la carte' }).click()
    await expectAccessible(page)

    const missing = page.waitForResponse(/nulle-part\.png/)
    await show('/nulle-part.png?{z}-{x}-{y}')
    await missing
    await expect(page.locator('.leaflet-container')).toBeAttached()
    await expect(map).toBeHidden()
    await expect(page.getByRole('img', { name: /^Guichet, 1000/ })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Obtenir l’itinéraire' })).toBeVisible()
  })
})

test('show the company as the administration sets it, and as its files have it afterwards', async ({ product }) => {
  const staff = await createTestClient(product.address()).arrive()
  expect((await staff.post('/api/auth/login', administrator)).status).toBe(200)
  const read = async (path: string) => (await fetch(product.address() + path)).text()
  const settings = '/api/company/settings'
  const { body } = await staff.get<CompanySettings>(settings)
  try {
    const saved = await staff.put(settings, { ...body, name: 'Fleuve TI', colour: '#0b6b4f' })
    expect(saved.status, saved.text).toBe(200)
    expect(await read('/')).toMatch(/\/couleur\/0b6b4f\.css[^]*Fleuve TI/)
  } finally {
    await staff.delete(settings)
  }
  for (const path of ['/', '/about', '/contact']) {
    const html = await read(path)
    expect(html).toContain(body.name)
    expect(html).not.toMatch(/\/couleur\/|Fleuve TI/)
  }
})
