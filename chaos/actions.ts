import { expect } from 'vitest'
import { administrator } from '../e2e/product.ts'
import type { StaffChat } from '../src/features/chat/protocol.ts'
import type { Rights } from '../src/lib/rights.ts'
import { createTestClient } from '../src/app/testing/test-client.ts'
import type { StaffConnection, VisitorConnection } from './clients.ts'
import { startConversation } from './clients.ts'

/** Signs the administrator in, from an address of their own. */
export async function signIn(origin: string, address: string, password = administrator.password) {
  const client = await createTestClient(origin).arrive()
  const headers = { 'x-forwarded-for': address }
  const response = await client.post('/api/auth/login', { username: administrator.username, password }, { headers })
  return { client, status: response.status }
}

export async function addTechnicians(origin: string, count: number, rights: Rights = { chat: 'read_write' }) {
  const { client } = await signIn(origin, '198.51.100.3')
  const group = { name: 'Comptoir', enabled: true, rights }
  const { body: made } = await client.post<{ id_group: number }>('/api/groups/groups', group)
  const password = 'Premier-Jour-2026!'
  const names = Array.from({ length: count }, (_, index) => `technicien${index + 1}`)
  for (const username of names) {
    const person = { username, display_name: username, email: `${username}@example.com`, id_group: made.id_group }
    const { body, text } = await client.post<{ id_user: number }>('/api/users/users', person)
    expect(body.id_user, text).toBeGreaterThan(0)
    await client.put(`/api/users/users/${body.id_user}/password`, { new_password: password, confirmation: password })
  }
  return names.map((username) => ({ username, password }))
}

/** Starts a conversation that the technician claims; returns its key and its id. */
export async function converse(visitor: VisitorConnection, technician: StaffConnection, name: string) {
  const startedAt = new Promise<number>((resolve) => {
    technician.on('staff:chat', (chat: StaffChat) => chat.client_name === name && resolve(chat.id))
  })
  const key = await startConversation(visitor, name)
  const id = await startedAt
  await technician.emitWithAck('staff:claim', { id })
  return { key, id }
}

/** Milliseconds, the shortest of three runs: a busy machine lengthens one run, a wait in the code all of them. */
export async function timeOf(work: Promise<unknown>) {
  const startedAt = performance.now()
  await work
  return performance.now() - startedAt
}
