import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { TestClient } from '#src/app/testing/test-client.ts'
import type { UpdateAlert } from './contract.ts'
import { updateWindows } from './server/table.ts'

export const alertPath = '/api/updates/alert'
const minuteMs = 60_000

/** Starts the app for a test file with no alert at the start of each test, and signs in a user who may announce. */
export function setUpAlerts() {
  let product: TestApp
  let administrator: TestClient
  // On a whole second, so that the same instant compares equal after a round trip.
  let start: number
  beforeAll(async () => {
    product = await startTestApp()
    administrator = await product.signIn({ updates: 'read_write' })
  })
  afterAll(() => product.stop())
  beforeEach(async () => {
    start = Math.floor(Date.now() / 1_000) * 1_000
    await product.db.delete(updateWindows)
    product.app.events.changed('updates')
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const inMinutes = (minutes: number) => new Date(start + minutes * minuteMs).toISOString()
  const alertIn = (minutes: number, more: object = {}) => ({
    next_update: inMinutes(minutes),
    message: 'Nouvelle version',
    message_en: 'New version',
    ...more,
  })
  return {
    product: () => product,
    administrator: () => administrator,
    inMinutes,
    alertIn,
    set: (minutes: number, more?: object) => administrator.put<UpdateAlert>(alertPath, alertIn(minutes, more)),
    /** Advances the clock. */
    later: (minutes: number) => vi.useFakeTimers({ now: Date.now() + minutes * minuteMs, toFake: ['Date'] }),
  }
}
