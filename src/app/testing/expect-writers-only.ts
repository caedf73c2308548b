import { expect } from 'vitest'
import type { TestApp } from './test-app.ts'

/** Expects 401 without a session and 403 with read access only, for each write and for the last change. */
export async function expectWritersOnly(
  product: TestApp,
  path: string,
  body: object,
  readerRights: Parameters<TestApp['signIn']>[0],
) {
  const visitor = await product.client()
  const reader = await product.signIn(readerRights)
  for (const [method, address, sent] of [
    ['POST', path, body],
    ['PUT', `${path}/1`, body],
    ['DELETE', `${path}/1`, undefined],
    ['GET', `${path}/1/last_change`, undefined],
  ] as const) {
    expect((await visitor.send(method, address, sent)).status).toBe(401)
    expect((await reader.send(method, address, sent)).status).toBe(403)
  }
}
