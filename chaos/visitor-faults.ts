import type { WebSocketRoute } from '@playwright/test'
import { pause } from './clients.ts'
import type { Row } from './row.ts'
import { compare, startVisitorPage } from './visitor-page.ts'

const away = 30_000
const asleep = 60_000
const reloads = 10
const timeoutMs = 45_000

const good = (figures: { lost: number; twice: number; 'out of order': number }, back: number) =>
  figures.lost + figures.twice + figures['out of order'] === 0 && Number.isFinite(back)

export const visitorOffline: Row = {
  name: 'offline',
  fault: `a visitor's network gone for ${away / 1_000} s in mid-conversation, both sides writing`,
  async run() {
    const visitor = await startVisitorPage()
    const [written, answers] = [['un', 'deux', 'trois', 'quatre'].map((text) => `hors ligne ${text}`), ['réponse 1', 'réponse 2']]
    const startedAt = performance.now()
    await visitor.page.context().setOffline(true)
    for (const text of written) await visitor.write(text)
    for (const text of answers) await visitor.answer(text)
    await visitor.waitForUnsent(written.length)
    const unsent = await visitor.unsent()
    await pause(Math.max(0, away - (performance.now() - startedAt)))
    await visitor.page.context().setOffline(false)
    const back = await visitor.shows([...written, ...answers])
    const figures = compare(written, await visitor.storedTexts())
    await visitor.stop()
    return {
      good: good(figures, back) && unsent === written.length,
      figures: { ...figures, 'shown as not sent meanwhile': unsent, 'all there after the return (ms)': back },
    }
  },
}

export const visitorReloads: Row = {
  name: 'reload',
  fault: `a visitor reloads ${reloads} times while a message is unsent: half never left, half arrived without the answer`,
  async run() {
    let loses: 'nothing' | 'messages' | 'answers' = 'nothing'
    const visitor = await startVisitorPage(async (page) => {
      await page.routeWebSocket(/\/socket\.io\//, (route: WebSocketRoute) => {
        const server = route.connectToServer()
        route.onMessage((message) => {
          if (loses !== 'messages') server.send(message)
        })
        server.onMessage((message) => {
          if (loses !== 'answers') route.send(message)
        })
      })
    })
    const written: string[] = []
    let back = 0
    for (let round = 1; round <= reloads; round += 1) {
      const arrives = round % 2 === 0
      loses = arrives ? 'answers' : 'messages'
      const text = `rechargé ${round}.`
      written.push(text)
      await visitor.write(text)
      await visitor.page.getByRole('log').getByText(text).waitFor()
      if (arrives) await isStored(visitor, text)
      // Messages lost so far stay lost; those of the next page are delivered.
      loses = 'nothing'
      await visitor.page.reload()
      back = Math.max(back, await visitor.shows(written))
    }
    const figures = compare(written, await visitor.storedTexts())
    await visitor.stop()
    return { good: good(figures, back), figures: { reloads, ...figures, 'longest until all is shown again (ms)': back } }
  },
}

/** Waits until the server stored it, with a timeout: a message that a busy machine held back counts as lost. */
async function isStored(visitor: Awaited<ReturnType<typeof startVisitorPage>>, text: string) {
  const startedAt = performance.now()
  while (!(await visitor.storedTexts()).includes(text)) {
    if (performance.now() - startedAt > timeoutMs) return
    await pause(250)
  }
}

export const laptopAsleep: Row = {
  name: 'asleep',
  fault: `a visitor's laptop asleep for ${asleep / 1_000} s, a message just sent`,
  async run() {
    const visitor = await startVisitorPage()
    const [written, answers] = [['avant la sieste'], ['toujours là ?', 'je garde la ligne', 'à bientôt']]
    await visitor.write('avant la sieste')
    const rest = visitor.sleep(asleep)
    for (const text of answers) {
      await pause(asleep / (answers.length + 1))
      await visitor.answer(text)
    }
    await rest
    const back = await visitor.shows([...written, ...answers])
    await visitor.write('après la sieste')
    written.push('après la sieste')
    const after = await visitor.shows(written)
    const figures = compare(written, await visitor.storedTexts())
    await visitor.stop()
    return {
      good: good(figures, back) && Number.isFinite(after),
      figures: { ...figures, 'all there after waking (ms)': back, 'the next message sent after (ms)': after },
    }
  },
}
