import type { Page } from '@playwright/test'

/** Creates a user and their group through the API, with an administrator's session. */
export async function createUser(administrator: Page, name: string, rights: Record<string, string>) {
  const user = { username: name, password: 'Premier-Jour-2026!' }
  await administrator.evaluate(
    async ({ username, password, rights }) => {
      const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '')
      const call = async (method: string, path: string, body: object) => {
        const response = await fetch(path, {
          method,
          headers: { 'content-type': 'application/json', 'x-xsrf-token': token },
          body: JSON.stringify(body),
        })
        return response.status === 204 ? null : ((await response.json()) as Record<string, number>)
      }
      const group = await call('POST', '/api/groups/groups', { name: `Groupe de ${username}`, enabled: true, rights })
      const created = await call('POST', '/api/users/users', {
        username,
        first_name: 'L',
        last_name: 'S',
        display_name: 'L S',
        email: 'ls@example.com',
        id_group: group?.id_group,
      })
      await call('PUT', `/api/users/users/${created?.id_user}/password`, { new_password: password, confirmation: password })
    },
    { ...user, rights },
  )
  return user
}
