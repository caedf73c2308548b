import { chromium } from '@playwright/test'
import type { Page } from '@playwright/test'
import { chromiumPath } from '../e2e/chromium.ts'
import { startProduct } from '../e2e/product.ts'
import { logIn, open, say, words } from '../e2e/visitor.ts'
import type { StaffConnection } from './clients.ts'
import { becomeAvailable, openTechnician, pause } from './clients.ts'

const t = words.fr
const timeoutMs = 60_000

/** A real browser in a conversation with a technician; `stop` ends both. */
export async function startVisitorPage(prepare: (page: Page) => Promise<void> = async () => undefined) {
  const product = await startProduct()
  const technician = await openTechnician(product.address())
  await becomeAvailable(technician)
  const server = await chromium.launchServer({
    executablePath: chromiumPath,
    args: ['--no-sandbox'],
  })
  const browser = await chromium.connect(server.wsEndpoint())
  const page = await browser.newPage({ baseURL: product.address() })
  await prepare(page)
  await open(page, 'fr', t)
  await logIn(page, t, 'Annie')
  await say(page, t, 'Bonjour')
  const log = page.getByRole('log')
  await log.getByText('Bonjour').waitFor()
  const id = await claimOnly(technician)
  const answer = async (message: string) => {
    const sent = await technician.emitWithAck('staff:send-message', { id, message })
    if (!sent.ok) throw new Error(sent.error.message)
  }
  await answer('Un instant')
  await log.getByText('Un instant').waitFor()

  return {
    page,
    answer,
    /** Writes and sends, then waits until the field is empty. */
    async write(text: string) {
      await say(page, t, text)
      await waitUntil(async () => (await page.getByRole('textbox', { name: t.write }).inputValue()) === '')
    },
    /** The number of messages shown as unsent. */
    unsent: () => log.getByText(t.unsent).count(),
    waitForUnsent: async (many: number) => {
      await waitUntil(async () => (await log.getByText(t.unsent).count()) === many)
    },
    /** Resolves when the page shows all these texts and nothing unsent; returns after how many milliseconds. */
    async shows(texts: string[]) {
      const startedAt = performance.now()
      const isWhole = async () => {
        const shown = await log.innerText()
        return texts.every((text) => shown.includes(text)) && (await unsentOrFailed(page)) === 0
      }
      const exists = await waitUntil(isWhole)
      return exists ? Math.round(performance.now() - startedAt) : Number.NaN
    },
    /** The visitor's texts as stored, in order. */
    async storedTexts() {
      const opened = await technician.emitWithAck('staff:open', { id })
      if (!opened.ok) throw new Error(opened.error.message)
      return opened.messages.filter((one) => !one.bz_staff).map((one) => one.message)
    },
    /** Suspends every process of the browser, like a closed laptop lid. */
    async sleep(milliseconds: number) {
      const group = -(server.process().pid ?? Number.NaN)
      process.kill(group, 'SIGSTOP')
      await pause(milliseconds)
      process.kill(group, 'SIGCONT')
    },
    async stop() {
      await browser.close()
      await server.close()
      technician.close()
      await product.stop()
    },
  }
}

/** Compares the written texts with the stored ones. */
export function compare(written: string[], storedTexts: string[]) {
  const own = storedTexts.filter((text) => text !== 'Bonjour')
  return {
    lost: written.filter((text) => !own.includes(text)).length,
    twice: own.length - new Set(own).size,
    'out of order': [...new Set(own)].filter((text, index) => text !== written[index]).length,
  }
}

async function unsentOrFailed(page: Page) {
  const log = page.getByRole('log')
  return (await log.getByText(t.unsent).count()) + (await log.locator('.failed').count())
}

async function claimOnly(technician: StaffConnection) {
  const list = await technician.emitWithAck('staff:chats', {})
  const [chat] = list.ok ? list.chats : []
  if (!chat) throw new Error('the chat is not in the list')
  const claimed = await technician.emitWithAck('staff:claim', { id: chat.id })
  if (!claimed.ok) throw new Error(claimed.error.message)
  return chat.id
}

async function waitUntil(isSo: () => Promise<boolean>) {
  const startedAt = performance.now()
  while (performance.now() - startedAt < timeoutMs) {
    if (await isSo()) return true
    await pause(50)
  }
  return false
}
