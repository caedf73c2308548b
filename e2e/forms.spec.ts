import type { Page, Route } from '@playwright/test'
import { expect, expectAccessible, holdScripts, hydrated, test } from './fixtures.ts'
import { fillIn, forms, kinds, stored, textOf } from './request-forms.ts'
import { wrapTexts } from './translated.ts'

const again = (page: Page) => page.getByRole('button', { name: 'Renvoyer la demande' })
const unconfirmed = (page: Page) => page.getByText('Votre demande n’est pas confirmée')

for (const kind of kinds) {
  test.describe(`${kind}: a response without a number`, () => {
    test.use({ expectedErrors: ['Failed to load resource', 'net::ERR'] })

    test('shows an error and keeps the text; the retry makes one request', async ({ page, staff }) => {
      const { path, api, send, number } = forms[kind]
      const text = `Réponses étranges ${test.info().testId}`
      await page.goto(path)
      await hydrated(page)
      await fillIn(page, kind, text)
      const odd: ((route: Route) => Promise<void>)[] = [
        (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Portail</h1>' }),
        (route) => route.fulfill({ status: 200, contentType: 'application/json', body: '{}' }),
        (route) => route.fulfill({ status: 200, contentType: 'application/json', body: '' }),
        (route) => route.fulfill({ status: 200, contentType: 'application/json', body: '{"reference":"<b>"}' }),
        (route) => route.fulfill({ status: 204 }),
        (route) => route.fulfill({ status: 302, headers: { location: '/' } }),
        (route) => route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad Gateway' }),
        (route) => route.fulfill({ status: 511, contentType: 'text/html', body: 'Sign in' }),
        // The server stored it, but the response was lost.
        async (route) => {
          await route.fetch()
          await route.abort('connectionreset')
        },
      ]
      let next: ((route: Route) => Promise<void>) | undefined
      await page.route(api, (route) => (next ? next(route) : route.continue()))
      for (const [index, response] of odd.entries()) {
        next = response
        await (index === 0 ? page.getByRole('button', { name: send }) : again(page)).click()
        await expect(unconfirmed(page)).toBeVisible()
        await expect(page.getByText('Une erreur est survenue lors de l’envoi de votre demande')).toBeVisible()
        await expect(page.getByText(number)).toHaveCount(0)
        await expect(page.locator(`form [name="${textOf(kind)}"]`)).toHaveValue(text)
        await expect(page.getByRole('main').getByRole('link', { name: /^Appeler le/ })).toBeVisible()
      }
      await expectAccessible(page)
      next = undefined
      await again(page).click()
      await expect(page.getByText(number)).toBeVisible()
      expect(await stored(staff, text)).toHaveLength(1)
    })
  })

  test(`${kind}: without a response shows a notice after 10 s and retries after 30 s, as one request`, async ({
    page,
    staff,
  }) => {
    const { path, api, send, number } = forms[kind]
    const text = `Sans réponse ${test.info().testId}`
    await page.clock.install()
    await page.goto(path)
    await hydrated(page)
    await fillIn(page, kind, text)
    let calls = 0
    await page.route(api, async (route) => {
      calls += 1
      // The server stores the first request, but its response never arrives.
      if (calls === 1) await route.fetch()
      else await route.continue()
    })
    await page.getByRole('button', { name: send }).click()
    await expect(page.getByRole('list', { name: 'Envoi de votre demande' })).toContainText('Envoi')
    await expect.poll(() => calls).toBe(1)
    await page.clock.fastForward(10_500)
    await expect(page.getByText('Pas encore de réponse du serveur')).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: /^Appeler le/ })).toBeVisible()
    await expect(page.getByText(/Nouvel essai automatique dans \d+\ss/)).toBeVisible()
    await expectAccessible(page)
    await page.clock.fastForward(20_000)
    await expect(page.getByText(number)).toBeVisible()
    expect(calls).toBe(2)
    expect(await stored(staff, text)).toHaveLength(1)
  })

  test(`${kind}: submits and shows the outcome when translated by the browser`, async ({ page }) => {
    const { path, api, send, number } = forms[kind]
    await page.goto(path)
    await hydrated(page)
    await wrapTexts(page)
    await page.getByRole('button', { name: send }).click()
    await expect(page.getByText(/champs sont à corriger/)).toBeVisible()
    await fillIn(page, kind, 'Traduite')
    await page.route(api, (route) => route.fulfill({ status: 200, contentType: 'application/json', body: '{}' }))
    await page.getByRole('button', { name: send }).click()
    await expect(unconfirmed(page)).toBeVisible()
    await page.unroute(api)
    await again(page).click()
    await expect(page.getByText(number)).toBeVisible()
    await expect(page.getByText(/envoyée? avec succès/)).toBeVisible()
    await expect(page.getByRole('button', { name: send })).toBeVisible()
  })

  test(`${kind}: the first submission after client navigation arrives`, async ({ page }) => {
    const { path, send, number } = forms[kind]
    await page.goto('/support')
    await hydrated(page)
    const requested = page.waitForRequest('**/api/mailer/form')
    await page.locator(`a[href="${path}"]:visible`).first().click()
    await fillIn(page, kind, 'Première')
    await page.getByRole('button', { name: send }).click()
    await requested
    await expect(page.getByText(number)).toBeVisible()
  })
}

test.describe('blocked cookies and storage', () => {
  test.use({ expectedErrors: ['403', 'Failed to load resource', 'SecurityError: Refused.'] })

  test('submits natively, and names cookies only if that fails', async ({ page, staff }) => {
    const { path, send, number } = forms.support
    const text = `Sans témoins ${test.info().testId}`
    await page.addInitScript(() => {
      const refuse = () => {
        throw new DOMException('Refused.', 'SecurityError')
      }
      for (const name of ['sessionStorage', 'localStorage']) Object.defineProperty(window, name, { get: refuse })
      Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set: refuse })
    })
    await page.goto(path)
    await hydrated(page)
    await fillIn(page, 'support', text)
    await page.route(`**${path}`, (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 403 }) : route.continue(),
    )
    await page.getByRole('button', { name: send }).click()
    const notice = page.getByRole('group', { name: 'Votre navigateur bloque les témoins (cookies)' })
    await expect(notice).toBeFocused()
    await expect(notice.getByRole('link', { name: /^Appeler le/ })).toBeVisible()
    await expectAccessible(page)
    await notice.getByRole('button', { name: 'Vérifier de nouveau' }).click()
    await expect(notice).toContainText('encore bloqués')
    await expect(page.getByLabel('Description')).toHaveValue(text)
    await page.unroute(`**${path}`)
    await again(page).click()
    await expect(page.getByText(number)).toBeVisible()
    await expect(notice).toHaveCount(0)
    const [one, ...more] = await stored(staff, text)
    expect(one?.status).toBe('new')
    expect(more).toEqual([])
  })
})

test.describe('without JavaScript', () => {
  test.use({ expectedErrors: ['net::ERR', 'Failed to load resource'] })

  test('a lost response followed by Back and Send makes one request', async ({ newPerson, staff }) => {
    const page = await newPerson({ javaScriptEnabled: false })
    const text = `Retour ${test.info().testId}`
    await page.goto('/contact')
    await fillIn(page, 'contact', text)
    // The server stores it; a captive portal responds.
    await page.route('**/contact', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      return route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Portail</h1>' })
    })
    await page.getByRole('button', { name: 'Envoyer!' }).click()
    await expect(page.getByText('Portail')).toBeVisible()
    await page.unroute('**/contact')
    await page.goBack()
    await expect(page.getByLabel('Message')).toHaveValue(text)
    await page.getByRole('button', { name: 'Envoyer!' }).click()
    await expect(page.getByText(/^CT-20\d\d-\d{6}$/)).toBeVisible()
    expect(await stored(staff, text)).toHaveLength(1)
  })
})

test.describe('missing scripts', () => {
  test.use({ expectedErrors: ['net::ERR', 'Failed to load resource'] })

  test('without the status script, shows the number and text and enables the button', async ({ page }) => {
    await page.clock.install()
    await page.route('**/assets/request-state-*.js', (route) => route.abort())
    await page.route(forms.contact.api, (route) => route.fulfill({ status: 200, contentType: 'application/json', body: '{}' }))
    await page.goto('/contact')
    await hydrated(page)
    await fillIn(page, 'contact', 'Sans l’état')
    const button = page.getByRole('button', { name: 'Envoyer!' })
    await button.click()
    await expect(page.getByText(/n’est pas confirmée/)).toBeVisible()
    await page.clock.fastForward(10_000)
    await expect(button).toBeEnabled()
    await page.unroute(forms.contact.api)
    await button.click()
    await expect(page.getByText(forms.contact.number)).toBeVisible()
  })

  test('without the submit script, submits natively after ten seconds', async ({ page }) => {
    await page.clock.install()
    await page.route('**/assets/request-submission-*.js', () => undefined)
    await page.goto('/contact')
    await hydrated(page)
    await fillIn(page, 'contact', 'Sans l’envoi')
    await page.getByRole('button', { name: 'Envoyer!' }).click()
    await expect(page.getByRole('button', { name: 'Envoi en cours…' })).toBeVisible()
    await page.clock.fastForward(10_000)
    await expect(page.getByText(forms.contact.number)).toBeVisible()
  })
})

test('a form of an English address makes an English request', async ({ page, staff }) => {
  const { path, number } = forms.contact
  const text = `English ${test.info().testId}`
  await page.goto(`${path}?lang=en`)
  await hydrated(page)
  await fillIn(page, 'contact', text)
  await page.getByRole('button', { name: 'Send!' }).click()
  await expect(page.getByText(number)).toBeVisible()
  expect(await stored(staff, text)).toMatchObject([{ language: 'en' }])
})

test('stores text typed before the scripts load in the draft; Enter meanwhile makes a normal request', async ({
  page,
  staff,
}) => {
  const release = await holdScripts(page)
  await page.goto('/appel-de-service', { waitUntil: 'commit' })
  await page.getByLabel('Description').fill('Tapé avant les scripts.')
  release()
  await hydrated(page)
  await expect
    .poll(() => page.evaluate(() => sessionStorage.getItem('draft:requests/support') ?? ''))
    .toContain('Tapé avant les scripts.')
  await page.reload()
  await expect(page.getByLabel('Description')).toHaveValue('Tapé avant les scripts.')

  const text = `Entrée ${test.info().testId}`
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await holdScripts(page)
  await page.goto('/contact', { waitUntil: 'commit' })
  await fillIn(page, 'contact', text)
  await page.getByLabel('Nom').press('Enter')
  await expect(page.getByText(/^CT-20\d\d-\d{6}$/)).toBeVisible()
  expect(await stored(staff, text)).toMatchObject([{ status: 'new' }])
})
