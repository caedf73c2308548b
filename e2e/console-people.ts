import type { Page } from '@playwright/test'
import { io } from 'socket.io-client'
import type { Socket } from 'socket.io-client'
import type { VisitorRequests, VisitorEvents } from '../src/features/chat/protocol.ts'
import { callApi, expect, signInByApi } from './fixtures.ts'

export async function openConsole(
  newPerson: () => Promise<Page>,
  language: 'fr' | 'en',
  credentials?: { username: string; password: string },
) {
  const page = await newPerson()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.addInitScript((choice) => localStorage.setItem('application_default_language', choice), language)
  await signInByApi(page, credentials)
  await page.goto('/admin/chat')
  return page
}

export async function becomeAvailable(page: Page, { leave, become }: { leave: string; become: string }) {
  await page.getByRole('button', { name: become }).click()
  await expect(page.getByRole('button', { name: leave })).toBeVisible()
}

/** Also where the same user still has conversations of other journeys, which are asked about first. */
export async function becomeUnavailable(page: Page, { leave, become }: { leave: string; become: string }) {
  const question = page.getByRole('alertdialog')
  const isAway = page.getByRole('button', { name: become })
  await page.getByRole('button', { name: leave }).click()
  await expect(question.or(isAway).first()).toBeVisible()
  if (await question.isVisible()) await question.getByRole('button', { name: leave }).click()
  await expect(isAway).toBeVisible()
}

/** A visitor by the same socket as the widget. */
export async function openVisitor(address: string, name: string, language: 'fr' | 'en') {
  const input = { client_name: name, client_email: `${name.replaceAll(' ', '.')}@example.com`, client_business: '', language }
  const socket: Socket<VisitorEvents, VisitorRequests> = io(address, { transports: ['websocket'], forceNew: true })
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
    /** The answer to a new attempt to chat. */
    async startAgain() {
      const again = await start()
      return again.ok ? 'ok' : again.error.code
    },
    /** Ends the conversation: the next journey begins with an empty counter. */
    async leave() {
      await socket.emitWithAck('chat:close', { id_chat: started.id_chat })
      socket.close()
    },
  }
}

/** A new person with this right on the chat, made through the administrator's session. */
export async function createColleague(admin: Page, level: 'read_only' | 'read_write' | 'administrator') {
  const username = `${level}-${Date.now()}`
  const password = 'Quai-Tranquille-2026!'
  const call = (method: string, path: string, data: object) =>
    callApi<{ id_group?: number; id_user?: number } | null>(admin, method, path, data)
  const group = await call('POST', '/api/groups/groups', { name: username, enabled: true, rights: { chat: level } })
  const user = { username, display_name: username, email: `${username}@example.com`, id_group: group?.id_group }
  const created = await call('POST', '/api/users/users', user)
  await call('PUT', `/api/users/users/${created?.id_user}/password`, { new_password: password, confirmation: password })
  return { username, password, name: username }
}

/** A saved reply, made by who is signed in on the page. */
export async function addReply(page: Page, shortcut: string, reply: string) {
  await callApi(page, 'POST', '/api/chat/canned_replies', { shortcut, reply, reply_en: '' })
}
