import type { Page } from '@playwright/test'
import { io } from 'socket.io-client'
import type { Socket } from 'socket.io-client'
import type { VisitorEvents, VisitorPushes } from '../src/features/chat/values.ts'
import { expect, expectAccessible, signIn, test } from './fixtures.ts'
import { openCounter } from './technician.ts'

const words = {
  fr: {
    become: 'Me rendre disponible',
    leave: 'Ne plus être disponible',
    claim: 'Réclamer',
    mine: /^Les miens/,
    open: 'Conversations ouvertes',
    search: 'Chercher dans l’historique',
    found: '1 conversation trouvée',
    online: /^En ligne/,
    replies: 'Réponses prêtes',
    add: 'Ajouter',
    shortcut: 'Raccourci',
    reply: 'Réponse',
    replyEn: 'Réponse (Anglais)',
    save: 'Sauvegarder',
    taken: 'Une autre réponse a ce raccourci.',
    convert: 'Convertir en demande',
    subject: 'Objet',
    create: 'Créer la demande',
    linked: 'Demandes liées',
    conversation: /^Conversation \d+$/,
    block: 'Bloquer le visiteur',
    reason: 'Raison',
    blockDo: 'Bloquer',
    isBlocked: 'Bloqué',
    blocks: 'Visiteurs bloqués',
    lift: /^Débloquer /,
    nobody: 'Personne n’est bloqué',
    alerts: 'Tester mes alertes',
    tryAll: 'Tout essayer',
    shown: /Le navigateur dit l’avoir affichée/,
    played: /Le navigateur joue le son/,
    mail: /Votre profil n’a pas d’adresse|Parti vers/,
    shortcuts: 'Raccourcis du clavier',
    answered: /a répondu entre-temps/,
    note: 'Ctrl+K note',
    writeNote: /note interne/,
    readOnly: /permet de lire les conversations/,
    all: 'Tous',
    unsent: 'Pas envoyé',
    retry: 'Réessayer',
  },
  en: {
    become: 'Make me available',
    leave: 'Stop being available',
    claim: 'Claim',
    mine: /^Mine/,
    open: 'Open conversations',
    search: 'Search the history',
    found: '1 conversation found',
    online: /^Online/,
    replies: 'Canned replies',
    add: 'Add',
    shortcut: 'Shortcut',
    reply: 'Reply',
    replyEn: 'Reply (English)',
    save: 'Save',
    taken: 'Another reply has this shortcut.',
    convert: 'Turn into a request',
    subject: 'Subject',
    create: 'Create the request',
    linked: 'Linked requests',
    conversation: /^Conversation \d+$/,
    block: 'Block the visitor',
    reason: 'Reason',
    blockDo: 'Block',
    isBlocked: 'Blocked',
    blocks: 'Blocked visitors',
    lift: /^Unblock /,
    nobody: 'Nobody is blocked',
    alerts: 'Test my alerts',
    tryAll: 'Try everything',
    shown: /The browser says that it was shown/,
    played: /The browser plays the sound/,
    mail: /Your profile has no e-mail|Left for/,
    shortcuts: 'Keyboard shortcuts',
    answered: /answered in the meantime/,
    note: 'Ctrl+K note',
    writeNote: /internal note/,
    readOnly: /lets you read conversations/,
    all: 'All',
    unsent: 'Not sent',
    retry: 'Try again',
  },
} as const

for (const language of ['fr', 'en'] as const) {
  const t = words[language]

  test(`${language}: several chats at once: side by side, by the keyboard, found again, on a phone`, async ({
    newPerson,
    product,
  }) => {
    test.slow()
    const page = await openConsole(newPerson, language)
    const run = `${language}${Date.now()}`
    await page.getByRole('button', { name: t.become }).click()
    await expect(page.getByRole('button', { name: t.leave })).toBeVisible()
    const visitors = []
    for (const name of ['Alpha', 'Bravo', 'Charlie']) {
      visitors.push(await openVisitor(product.address(), `${name} ${run}`, language === 'fr' ? 'en' : 'fr'))
    }
    await visitors[0]?.say(`Le TÉLÉPHONE ${run} grésille`)
    for (const visitor of visitors) {
      await page.getByRole('button', { name: visitor.pattern }).first().click()
      const pane = page.getByRole('region', { name: visitor.pattern })
      await pane.getByRole('button', { name: t.claim }).click()
      await expect(pane.getByRole('textbox')).toBeVisible()
    }
    await expect(page.getByRole('log')).toHaveCount(2)
    await expect(page.getByRole('navigation', { name: t.open }).getByRole('button')).toHaveCount(3)
    await expectAccessible(page)

    // Alt and the arrows: from the third, round to the first.
    await page.keyboard.press('Alt+ArrowDown')
    const first = page.getByRole('region', { name: visitors[0]?.pattern })
    await expect(first.getByRole('textbox')).toBeFocused()
    await expect(first.getByRole('log')).toContainText('grésille')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: t.mine }).click()
    const items = page.getByRole('listitem').getByRole('button', { name: new RegExp(run) })
    await expect(items).toHaveCount(3)
    await items.first().focus()
    await page.keyboard.press('End')
    await expect(items.last()).toBeFocused()
    await page.keyboard.press('Home')
    await expect(items.first()).toBeFocused()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: t.shortcuts })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')

    await page.getByRole('searchbox', { name: t.search }).fill(`telephone ${run}`)
    await expect(page.getByText(t.found)).toBeVisible()
    await expect(page.getByRole('listitem').getByRole('button', { name: /grésille/ })).toHaveCount(1)
    await page.getByRole('searchbox', { name: t.search }).press('Escape')
    await expect(items).toHaveCount(3)

    await page.locator('summary').filter({ hasText: t.online }).click()
    await expect(page.getByRole('listitem').filter({ hasText: /3 conversations/ })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')

    await page.reload()
    await expect(page.getByRole('log')).toHaveCount(2)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: t.mine }).click()
    await items.first().click()
    await expect(page.getByRole('log')).toHaveCount(1)
    await expect(page.getByRole('log')).toBeInViewport()
    await expect(page.getByRole('region', { name: new RegExp(run) }).getByRole('textbox')).toBeInViewport()
    await expectAccessible(page)
    for (const visitor of visitors) visitor.leave()
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: t.leave }).click()
    await expect(page.getByRole('button', { name: t.become })).toBeVisible()
  })

  test(`${language}: replies kept ready, a request, a block, alerts that prove themselves`, async ({
    newPerson,
    product,
    expectedErrors,
  }) => {
    test.slow()
    expectedErrors.push('/api/chat/canned_replies', '/api/chat/test_mail')
    const page = await openConsole(newPerson, language)
    await page.context().grantPermissions(['notifications'])
    await page.getByRole('button', { name: t.become }).click()
    await expect(page.getByRole('button', { name: t.leave })).toBeVisible()

    const shortcut = `salut${language}`
    await page.getByRole('link', { name: t.replies }).click()
    for (const isDouble of [false, true]) {
      await page.getByRole('link', { name: t.add, exact: true }).click()
      await page.getByRole('textbox', { name: t.shortcut }).fill(`/${shortcut}`)
      await page.getByRole('textbox', { name: t.reply, exact: true }).fill('Bonjour, ici le comptoir.')
      await page.getByRole('textbox', { name: t.replyEn }).fill('Hello from the counter.')
      await expectAccessible(page)
      await page.getByRole('button', { name: t.save }).click()
      if (!isDouble) await expect(page.getByRole('rowheader', { name: `/${shortcut}` })).toBeVisible()
    }
    await expect(page.getByText(t.taken)).toBeVisible()
    await expectAccessible(page)
    page.on('dialog', (dialog) => void dialog.accept())
    await page.evaluate(() => sessionStorage.clear())
    await page.goto('/admin/chat')

    // A visitor of the other language reads the reply in their own.
    const visitor = await openVisitor(product.address(), `Delta ${language}${Date.now()}`, language === 'fr' ? 'en' : 'fr')
    await visitor.say('Allô')
    await page.getByRole('button', { name: visitor.pattern }).first().click()
    await page.getByRole('button', { name: t.claim }).click()
    const field = page.getByRole('region', { name: visitor.pattern }).getByRole('textbox')
    await field.pressSequentially(`/${shortcut.slice(0, 5)}`)
    await expect(page.getByRole('option', { name: new RegExp(shortcut) })).toBeVisible()
    await expectAccessible(page)
    await field.press('Enter')
    await expect(field).toHaveValue(language === 'fr' ? 'Hello from the counter.' : 'Bonjour, ici le comptoir.')
    await field.press('Enter')
    await expect.poll(visitor.texts).toEqual([language === 'fr' ? 'Hello from the counter.' : 'Bonjour, ici le comptoir.'])
    await field.press('Control+k')
    await page.getByRole('textbox', { name: t.writeNote }).fill('Pour nous')
    await page.getByRole('textbox', { name: t.writeNote }).press('Enter')
    await expect(page.getByRole('log')).toContainText('Pour nous')
    expect(visitor.texts()).toHaveLength(1)

    await page.getByRole('button', { name: t.convert }).click()
    const request = page.getByRole('dialog', { name: t.convert })
    await request.getByRole('button', { name: t.create }).click()
    await expect(request.getByRole('textbox', { name: t.subject })).toHaveAttribute('aria-invalid', 'true')
    await expectAccessible(page)
    await request.getByRole('textbox', { name: t.subject }).fill('Téléphones')
    await request.getByRole('button', { name: t.create }).click()
    await expect(page.getByRole('heading', { name: t.linked })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: /^CL-\d{4}-\d{6}$/ }).click()
    await page.getByRole('link', { name: t.conversation }).click()
    await expect(page.getByRole('log')).toContainText('Allô')

    await page.getByRole('button', { name: t.block }).click()
    const block = page.getByRole('dialog')
    await block.getByRole('textbox', { name: t.reason }).fill('Essai')
    await expectAccessible(page)
    await block.getByRole('button', { name: t.blockDo, exact: true }).click()
    await expect(page.getByText(t.isBlocked, { exact: true })).toBeVisible()
    await expect.poll(visitor.isClosed).toBe(true)
    expect(await visitor.startAgain()).toBe('blocked')

    await page.getByRole('button', { name: t.alerts }).click()
    await page.getByRole('button', { name: t.tryAll }).click()
    await expect(page.getByText(t.played)).toBeVisible()
    await expect(page.getByText(t.mail)).toBeVisible({ timeout: 20_000 })
    await expectAccessible(page)
    await page.keyboard.press('Escape')

    await page.getByRole('link', { name: t.blocks }).click()
    await expectAccessible(page)
    await page.getByRole('button', { name: t.lift }).click()
    await expect(page.getByText(t.nobody)).toBeVisible()
    expect(await visitor.startAgain()).toBe('ok')
    visitor.leave()
  })
}

test('an answer written past a colleague’s comes back into the field; who may only read does not act', async ({
  newPerson,
  staff,
  product,
  expectedErrors,
}) => {
  test.slow()
  expectedErrors.push('ERR_INTERNET_DISCONNECTED', 'WebSocket connection to')
  const t = words.fr
  const page = await openConsole(newPerson, 'fr')
  await page.getByRole('button', { name: t.become }).click()
  await expect(page.getByRole('button', { name: t.leave })).toBeVisible()
  const visitor = await openVisitor(product.address(), `Echo ${Date.now()}`, 'fr')
  await visitor.say('Plus de réseau')
  await page.getByRole('button', { name: visitor.pattern }).first().click()
  await page.getByRole('button', { name: t.claim }).click()
  const field = page.getByRole('region', { name: visitor.pattern }).getByRole('textbox')
  await expect(field).toBeVisible()

  const supervisor = await createColleague(staff, 'administrator')
  const other = await newPerson()
  await signIn(other, supervisor)
  const counter = await openCounter(other, product.address())
  const id = await counter.find(visitor.name)
  await page.context().setOffline(true)
  await field.fill('Je m’en occupe')
  await field.press('Enter')
  await expect(page.getByRole('log')).toContainText(t.unsent)
  await counter.transfer(id, supervisor.name)
  await counter.say(id, 'C’est déjà réglé')
  await page.context().setOffline(false)
  await expect(page.getByRole('log')).toContainText('C’est déjà réglé', { timeout: 20_000 })
  await counter.transfer(id, 'admin')
  await page.getByRole('button', { name: t.retry }).click()
  await expect(page.getByRole('alert').filter({ hasText: t.answered })).toContainText(supervisor.name)
  await expect(field).toHaveValue('Je m’en occupe')
  await expectAccessible(page)
  await field.press('Enter')
  await expect.poll(visitor.texts).toEqual(['C’est déjà réglé', 'Je m’en occupe'])
  await counter.leave()

  const reader = await createColleague(staff, 'read_only')
  const reading = await newPerson()
  await signIn(reading, reader)
  await reading.goto('/admin/chat')
  await expect(reading.getByText(t.readOnly)).toBeVisible()
  await reading.getByRole('button', { name: t.all, exact: true }).click()
  await reading.getByRole('button', { name: visitor.pattern }).first().click()
  await expect(reading.getByRole('log')).toContainText('C’est déjà réglé')
  await expect(reading.getByRole('textbox')).toHaveCount(0)
  await expect(reading.getByRole('button', { name: t.become })).toHaveCount(0)
  await expectAccessible(reading)
  visitor.leave()
  await page.getByRole('button', { name: t.leave }).click()
  await expect(page.getByRole('button', { name: t.become })).toBeVisible()
})

async function openConsole(newPerson: () => Promise<Page>, language: 'fr' | 'en') {
  const page = await newPerson()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.addInitScript((choice) => localStorage.setItem('application_default_language', choice), language)
  await signIn(page)
  await page.goto('/admin/chat')
  return page
}

/** A visitor by the same socket as the widget. */
async function openVisitor(address: string, name: string, language: 'fr' | 'en') {
  const input = { client_name: name, client_email: `${name.replaceAll(' ', '.')}@example.com`, client_business: '', language }
  const socket: Socket<VisitorPushes, VisitorEvents> = io(address, { transports: ['websocket'], forceNew: true })
  const received: string[] = []
  let isClosed = false
  socket.on('chat:new-message', (message) => received.push(message.message))
  socket.on('chat:closed', () => (isClosed = true))
  const start = () => socket.emitWithAck('chat:connect', input)
  const started = await start()
  if (!started.ok) throw new Error(started.error.code)
  return {
    name,
    pattern: new RegExp(name),
    texts: () => received,
    isClosed: () => isClosed,
    async say(message: string) {
      expect(await socket.emitWithAck('chat:send-message', { id_chat: started.id_chat, message })).toMatchObject({ ok: true })
    },
    /** What a new attempt is answered. */
    async startAgain() {
      const again = await start()
      return again.ok ? 'ok' : again.error.code
    },
    leave: () => socket.close(),
  }
}

/** A new person with this right on the chat, made through the administrator's session. */
async function createColleague(admin: Page, level: 'read_only' | 'read_write' | 'administrator') {
  const username = `${level}-${Date.now()}`
  const password = 'Comptoir-Ouvert-2026!'
  const call = async (method: 'POST' | 'PUT', path: string, data: object) => {
    const cookies = await admin.context().cookies()
    const token = decodeURIComponent(cookies.find((cookie) => cookie.name === 'XSRF-TOKEN')?.value ?? '')
    const answer = await admin.request.fetch(path, { method, data, headers: { 'x-xsrf-token': token } })
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
    return answer.status() === 204 ? {} : ((await answer.json()) as { id_group?: number; id_user?: number })
  }
  const { id_group } = await call('POST', '/api/groups/groups', { name: username, enabled: true, rights: { chat: level } })
  const user = { username, display_name: username, email: `${username}@example.com`, id_group }
  const { id_user } = await call('POST', '/api/users/users', user)
  await call('PUT', `/api/users/users/${id_user}/password`, { new_password: password, confirmation: password })
  return { username, password, name: username }
}
