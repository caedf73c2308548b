import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from './testing/test-app.ts'
import { startTestApp } from './testing/test-app.ts'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

async function openStream(query: string, headers: Record<string, string> = {}) {
  const abort = new AbortController()
  const answer = await fetch(`${product.origin}/api/live${query}`, { signal: abort.signal, headers })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    status: answer.status,
    close: () => abort.abort(),
    until: async (wanted: string) => {
      while (!text.includes(wanted)) text += (await reader?.read())?.value ?? ''
      return text
    },
  }
}

const idIn = (text: string) => Number(/^id: (\d+)$/m.exec(text)?.[1])

test('a page hears what changed between its making and its stream, once', async () => {
  const made = Date.now()
  product.app.events.changed('home')
  product.app.events.changed('notes')
  product.app.events.changed('home')
  const page = await openStream(`?after=${made - 1}`)
  const caughtUp = await page.until('"home"')
  expect(caughtUp.match(/event: changed/g)).toHaveLength(2)
  product.app.events.changed('jobs')
  const last = idIn((await page.until('"jobs"')).split('\n\n').find((part) => part.includes('"jobs"')) ?? '')
  page.close()

  product.app.events.changed('employees')
  const again = await openStream(`?after=${made - 1}`, { 'last-event-id': String(last) })
  const missed = await again.until('"employees"')
  expect(missed.match(/event: changed/g)).toHaveLength(1)
  again.close()
})

test('a page made before the server started hears of every area', async () => {
  const page = await openStream('?after=1')
  expect((await page.until('"updates"')).match(/event: changed/g)).toHaveLength(6)
  page.close()
})

test('an unknown parameter is refused', async () => {
  const page = await openStream('?since=1')
  expect(page.status).toBe(400)
})
