import type { Page } from '@playwright/test'
import { callApi } from './fixtures.ts'

/** Creates a user and their group through the API, with an administrator's session. */
export async function createUser(administrator: Page, username: string, rights: Record<string, string>) {
  const password = 'Premier-Jour-2026!'
  const call = (method: string, path: string, data: object) => callApi<Record<string, number>>(administrator, method, path, data)
  const group = await call('POST', '/api/groups/groups', { name: `Groupe de ${username}`, enabled: true, rights })
  const created = await call('POST', '/api/users/users', {
    username,
    first_name: 'L',
    last_name: 'S',
    display_name: 'L S',
    email: 'ls@example.com',
    id_group: group.id_group,
  })
  await call('PUT', `/api/users/users/${created.id_user}/password`, { new_password: password, confirmation: password })
  return { username, password }
}
