import type { Page } from '@playwright/test'
import { io } from 'socket.io-client'
import type { Socket } from 'socket.io-client'
import type { ChatSettings } from '../src/features/chat/contract.ts'
import type { StaffRequests, StaffMessage, StaffEvents } from '../src/features/chat/protocol.ts'
import { callApi, expect } from './fixtures.ts'

/** A technician on the same socket as the console, signed in with the session of the page `staff`. */
export async function openCounter(staff: Page, address: string) {
  const cookies = await staff.context().cookies(address)
  const socket: Socket<StaffEvents, StaffRequests> = io(`${address}/staff`, {
    transports: ['websocket'],
    extraHeaders: { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') },
  })
  const received: StaffMessage[] = []
  socket.on('staff:new-message', (message) => received.push(message))
  expect(await socket.emitWithAck('staff:availability', { available: true })).toMatchObject({ ok: true })

  return {
    /** Texts of visitors, in order. */
    texts: () => received.filter((one) => !one.bz_staff).map((one) => one.message),
    /** Claims the newest chat of that visitor. */
    async claim(name: string) {
      const list = await socket.emitWithAck('staff:chats', { scope: 'open' })
      const chat = list.ok ? list.chats.find((one) => one.client_name === name) : undefined
      if (!chat) throw new Error(`no chat of ${name}`)
      expect(await socket.emitWithAck('staff:claim', { id: chat.id })).toMatchObject({ ok: true })
      return chat.id
    },
    async takeOver(id: number) {
      expect(await socket.emitWithAck('staff:take-over', { id })).toMatchObject({ ok: true })
    },
    /** Offers a chat to a technician, by display name. */
    async transfer(id: number, name: string) {
      const list = await socket.emitWithAck('staff:chats', {})
      const person = list.ok ? list.users.find((one) => one.user_name === name) : undefined
      if (!person) throw new Error(`${name} is at no console`)
      expect(await socket.emitWithAck('staff:transfer', { id, id_user: person.id_user })).toMatchObject({ ok: true })
    },
    /** The numbers of all conversations of that visitor, open or closed, the newest first. */
    async findAll(name: string) {
      const list = await socket.emitWithAck('staff:chats', { scope: 'all', search: name })
      if (!list.ok) throw new Error(list.error.message)
      return list.chats.filter((one) => one.client_name === name).map(({ id }) => id)
    },
    async find(name: string) {
      const list = await socket.emitWithAck('staff:chats', { search: name })
      const [chat] = list.ok ? list.chats : []
      if (!chat) throw new Error(`no chat of ${name}`)
      return chat.id
    },
    async say(id: number, message: string) {
      expect(await socket.emitWithAck('staff:send-message', { id, message })).toMatchObject({ ok: true })
    },
    async type(id: number) {
      await socket.emitWithAck('staff:typing', { id })
    },
    async read(id: number, seq: number) {
      await socket.emitWithAck('staff:read', { id, seq })
    },
    /** Rating and comment of the visitor. */
    async rating(id: number) {
      const opened = await socket.emitWithAck('staff:open', { id })
      if (!opened.ok) throw new Error(opened.error.message)
      const { rating, rating_comment } = opened.chat
      return { rating, rating_comment }
    },
    async close(id: number) {
      await socket.emitWithAck('staff:close', { id })
    },
    /** Ends the chats that other journeys left open, so that the next one to take is the caller's. */
    async closeAll() {
      const list = await socket.emitWithAck('staff:chats', { scope: 'open' })
      if (!list.ok) throw new Error(list.error.message)
      for (const { id } of list.chats) {
        await socket.emitWithAck('staff:take-over', { id })
        await socket.emitWithAck('staff:close', { id })
      }
    },
    async leave() {
      await socket.emitWithAck('staff:availability', { available: false })
      socket.close()
    },
  }
}

/** Changes settings as a supervisor; returns the previous ones. */
export async function changeChatSettings(staff: Page, address: string, change: Partial<ChatSettings>) {
  const settings = await callApi<ChatSettings>(staff, 'GET', `${address}/api/chat/settings`)
  await callApi(staff, 'PUT', `${address}/api/chat/settings`, { ...settings, ...change })
  return settings
}
