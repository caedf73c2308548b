import { expect, expectAccessible, test } from './fixtures.ts'
import { startOtherSite } from './other-site.ts'
import { changeChatSettings, openCounter } from './technician.ts'

test.describe('the chat embedded in another site', () => {
  // A page that may not be framed, and settings that are refused.
  test.use({ expectedErrors: ['frame-ancestors', 'ERR_BLOCKED_BY_RESPONSE', 'chrome-error', '400'] })

  test('works once the site is allowed, from the first message to the next page', async ({ newPerson, staff, product }) => {
    test.slow()
    const address = product.address()
    const site = await startOtherSite(address, '127.0.0.1')
    const visitor = await newPerson()
    const asked: string[] = []
    visitor.on('request', (request) => asked.push(new URL(request.url()).pathname))

    await visitor.goto(site.origin)
    const launcher = visitor.getByRole('button', { name: /^Clavarder/ })
    await expect(launcher).toBeVisible()
    expect(asked.filter((path) => path.startsWith('/webchat'))).toEqual(['/webchat/embed.js'])
    await expectAccessible(visitor)
    await launcher.click()
    await expect(visitor.getByRole('alert')).toHaveText('Une erreur est survenue avec le clavardage.', { timeout: 15_000 })
    await expect(launcher).toBeFocused()

    await staff.goto('/admin/chat/settings')
    await staff.getByLabel('Sites autorisés').fill(`${site.origin}/contact`)
    await staff.getByRole('checkbox', { name: 'Réponse automatique' }).check()
    await staff.getByRole('button', { name: 'Sauvegarder' }).click()
    await expect(staff.getByLabel('Texte de la réponse automatique', { exact: true })).toBeFocused()
    await expectAccessible(staff)
    await staff.getByLabel('Texte de la réponse automatique', { exact: true }).fill('Un technicien arrive.')
    await staff.getByRole('button', { name: 'Sauvegarder' }).click()
    await expect(staff.getByText('Sauvegardé avec succès')).toBeVisible()
    await expect(staff.getByLabel('Sites autorisés')).toHaveValue(site.origin)
    const counter = await openCounter(staff, address)

    await launcher.click()
    const chat = visitor.frameLocator('iframe')
    await chat.getByLabel('Courriel').fill('ailleurs@example.com')
    await chat.getByLabel('Nom', { exact: true }).fill('Iris Ailleurs')
    await expectAccessible(visitor)
    await chat.getByRole('button', { name: 'Parler à un technicien' }).click()
    await chat.getByRole('textbox', { name: 'Écrire un message' }).fill('Bonjour d’un autre site')
    await chat.getByRole('button', { name: 'Envoyer' }).click()
    await expect.poll(counter.texts).toContain('Bonjour d’un autre site')
    const id = await counter.claim('Iris Ailleurs')

    await chat.getByRole('button', { name: 'Réduire le clavardage' }).click()
    await expect(launcher).toBeFocused()
    await counter.say(id, 'Bonjour Iris')
    await expect(launcher).toHaveAccessibleName('Clavarder (nouveaux messages : 1)')
    await launcher.click()
    await expect(chat.getByText('Bonjour Iris')).toBeVisible()

    await visitor.goto(`${site.origin}/suite`)
    await expect(visitor.frameLocator('iframe').getByText('Bonjour Iris')).toBeVisible()
    await expectAccessible(visitor)

    await visitor.setViewportSize({ width: 390, height: 700 })
    const frame = await visitor.locator('iframe').boundingBox()
    expect(frame).toEqual({ x: 0, y: 0, width: 390, height: 700 })
    await counter.leave()

    await staff.goto('/admin/chat/figures')
    await staff.getByText('Statistiques par jour', { exact: true }).first().click()
    await expect(staff.getByRole('table', { name: 'Statistiques par jour' }).getByRole('row')).toHaveCount(2)
    await expect(staff.getByRole('img', { name: /^Conversations par jour/ }).locator('canvas')).toBeVisible()
    await expectAccessible(staff)
    await staff.getByLabel('Du', { exact: true }).fill('2026-05-06')
    await staff.getByLabel('Au', { exact: true }).fill('2026-05-04')
    await staff.getByRole('button', { name: 'Afficher' }).click()
    await expect(staff.getByRole('alert').filter({ hasText: 'Choisissez une période' })).toBeVisible()
    await expectAccessible(staff)
    await site.stop()
  })

  test('needs neither cookies nor storage of its own', async ({ newPerson, staff, product }) => {
    const address = product.address()
    const site = await startOtherSite(address, 'localhost')
    await changeChatSettings(staff, address, { embed_origins: [site.origin] })
    const counter = await openCounter(staff, address)
    const visitor = await newPerson()
    await visitor.goto(site.origin)
    await visitor.getByRole('button', { name: 'Clavarder' }).click()
    const chat = visitor.frameLocator('iframe')
    await chat.getByLabel('Courriel').fill('loin@example.com')
    await chat.getByLabel('Nom', { exact: true }).fill('Léo Loin')
    await chat.getByRole('button', { name: 'Parler à un technicien' }).click()
    await chat.getByRole('textbox', { name: 'Écrire un message' }).fill('Sans témoin')
    await chat.getByRole('button', { name: 'Envoyer' }).click()
    await expect.poll(counter.texts).toContain('Sans témoin')
    const id = await counter.claim('Léo Loin')
    await counter.say(id, 'Bonjour Léo')
    await counter.close(id)
    await chat.getByRole('button', { name: 'Oui, l’envoyer' }).click()
    await expect(chat.getByText(/transcription vous sera envoyée/)).toBeVisible()
    expect(await visitor.context().cookies(address)).toEqual([])
    await counter.leave()
    await site.stop()
  })

  test('continues from page to page where the frame has no storage, and sends its key to no other window', async ({
    newPerson,
    staff,
    product,
  }) => {
    const address = product.address()
    const [site, hostile] = [await startOtherSite(address, 'localhost'), await startOtherSite(address, '127.0.0.1')]
    await changeChatSettings(staff, address, { embed_origins: [site.origin] })
    const counter = await openCounter(staff, address)
    const visitor = await newPerson()
    await visitor.addInitScript(() => {
      if (window === window.top) return
      const refuse = () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      }
      for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'BroadcastChannel'])
        Object.defineProperty(window, name, { get: refuse })
    })
    await visitor.goto(site.origin)
    await visitor.getByRole('button', { name: 'Clavarder' }).click()
    const chat = visitor.frameLocator('iframe')
    await chat.getByLabel('Courriel').fill('cloison@example.com')
    await chat.getByLabel('Nom', { exact: true }).fill('Flore Cloison')
    await chat.getByRole('button', { name: 'Parler à un technicien' }).click()
    await expect(chat.getByRole('textbox', { name: 'Écrire un message' })).toBeVisible()
    const storedKeys = () => visitor.evaluate(() => Object.entries(sessionStorage).flat().join())
    await expect.poll(storedKeys).toMatch(/[\w-]{32}/)
    const before = await storedKeys()
    // A busy page of the other site gets each message late: meanwhile the key must stay with it.
    await visitor.addInitScript(() => {
      if (window !== window.top) return
      const late = window as unknown as { emptied: number }
      late.emptied = 0
      addEventListener('message', (event) => {
        if (!event.isTrusted) return
        event.stopImmediatePropagation()
        const { data, origin, source } = event as MessageEvent<unknown>
        setTimeout(() => {
          dispatchEvent(new MessageEvent('message', { data, origin, source }))
          if (!sessionStorage.getItem('guichet_chat')) late.emptied += 1
        }, 500)
      })
    })
    const field = chat.getByRole('textbox', { name: 'Écrire un message' })
    await field.fill('Sur l’autre page')
    await expect.poll(storedKeys).toContain('Sur l’autre page')
    await visitor.goto(`${site.origin}/suite`)
    await expect(field).toHaveValue('Sur l’autre page')
    await chat.getByRole('button', { name: 'Envoyer' }).click()
    await expect.poll(counter.texts).toContain('Sur l’autre page')
    const id = await counter.claim('Flore Cloison')
    await counter.say(id, 'Bonjour Flore')
    await expect.poll(storedKeys).not.toContain('Sur l’autre page')
    await visitor.goto(site.origin)
    await expect(chat.getByRole('log')).toContainText('Bonjour Flore')
    expect(await visitor.evaluate(() => (window as unknown as { emptied: number }).emptied)).toBe(0)

    const popup = visitor.waitForEvent('popup')
    await visitor.evaluate((url) => void window.open(url), hostile.origin)
    const stranger = await popup
    await stranger.waitForLoadState()
    // Messages are delivered in order: once the last one is answered, all were received. Another window cannot name the
    // frame, which is in a shadow tree.
    await visitor.evaluate(() =>
      addEventListener('message', ({ data, source }) => {
        if (data === 'last') (source as Window).postMessage('end', { targetOrigin: '*' })
      }),
    )
    const received = await stranger.evaluate(async () => {
      const messages: unknown[] = []
      const ended = new Promise<void>((resolve) => {
        addEventListener('message', ({ data }) => {
          messages.push(data)
          if (data === 'end') resolve()
        })
      })
      const page = window.opener as Window
      const state = { guichet: 'state', running: true, id_chat: 'x'.repeat(32) }
      for (const message of [{ guichet: 'ready' }, state, { guichet: 'shut' }, 'last']) page.postMessage(message, '*')
      await ended
      return messages
    })
    expect(received).toEqual(['end'])
    await stranger.close()
    expect(await storedKeys()).toBe(before)
    await counter.say(id, 'Toujours entre nous')
    await expect(chat.getByRole('log')).toContainText('Toujours entre nous')
    await counter.close(id)
    await expect(chat.getByRole('heading', { name: 'Le clavardage est terminé' })).toBeVisible()
    await chat.getByRole('button', { name: 'Non, merci' }).click()
    await expect.poll(storedKeys).toBe('')
    await counter.leave()
    await Promise.all([site.stop(), hostile.stop()])
  })
})
