import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProduct } from '../e2e/product.ts'
import type { ChatAvailability } from '../src/features/chat/contract.ts'
import {
  becomeAvailable,
  openTechnician,
  openVisitor,
  pause,
  readConversation,
  sendUntilAcknowledged,
  startConversation,
  trusting,
} from './clients.ts'
import type { Row } from './row.ts'

/** Local times in Toronto with their offset, and the expected closing or opening. */
const moments = [
  { at: '2026-12-01T16:59:00-05:00', closes: '2026-12-01T17:00:00-05:00' },
  { at: '2026-12-01T17:00:00-05:00', opens: '2026-12-02T08:00:00-05:00' },
  { at: '2026-12-01T23:59:00-05:00', opens: '2026-12-02T08:00:00-05:00' },
  { at: '2026-12-02T07:59:00-05:00', opens: '2026-12-02T08:00:00-05:00' },
  { at: '2026-12-02T08:00:00-05:00', closes: '2026-12-02T17:00:00-05:00' },
  // The nights of the daylight saving changes (8 March and 1 November 2026), from Friday on.
  { at: '2026-03-06T16:59:00-05:00', closes: '2026-03-06T17:00:00-05:00' },
  { at: '2026-03-06T17:01:00-05:00', opens: '2026-03-09T08:00:00-04:00' },
  { at: '2026-03-08T03:00:00-04:00', opens: '2026-03-09T08:00:00-04:00' },
  { at: '2026-10-30T17:01:00-04:00', opens: '2026-11-02T08:00:00-05:00' },
  { at: '2026-11-01T01:30:00-04:00', opens: '2026-11-02T08:00:00-05:00' },
  { at: '2026-11-01T01:30:00-05:00', opens: '2026-11-02T08:00:00-05:00' },
]

export const clock: Row = {
  name: 'clock',
  fault: 'the clock moved an hour in mid-conversation; both daylight-saving nights, 23:59 and 17:00',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'guichet-clock-'))
    const file = join(folder, 'shift')
    const setClock = async (shift: number) => {
      writeFileSync(file, String(shift))
      await pause(200)
    }
    writeFileSync(file, '0')
    const options = `--import ${join(import.meta.dirname, 'shifted-clock.mjs')}`
    const product = await startProduct({ ...trusting, NODE_OPTIONS: options, CLOCK_FILE: file })
    const technician = await openTechnician(product.address())
    await becomeAvailable(technician)
    const visitor = openVisitor(product.address(), 1)
    const idChat = await startConversation(visitor, 'Visitor')
    const hour = 3_600_000
    for (const [index, shift] of [0, hour, 0, -hour, 0].entries()) {
      await setClock(shift)
      await sendUntilAcknowledged(visitor, idChat, String(index))
    }
    const texts = (await readConversation(visitor, idChat)).map(({ message }) => message).join('')

    const wrong: string[] = []
    for (const { at, closes, opens } of moments) {
      await setClock(Date.parse(at) - Date.now())
      const response = await fetch(`${product.address()}/public_api/chat/available-users`)
      const { hours } = (await response.json()) as ChatAvailability
      const same = (message: string | null, wanted: string | undefined) =>
        wanted ? message !== null && Date.parse(message) === Date.parse(wanted) : message === null
      if (!same(hours.closes_at, closes) || !same(hours.next_opening, opens)) wrong.push(`${at}: ${JSON.stringify(hours)}`)
    }
    visitor.close()
    technician.close()
    await product.stop()
    rmSync(folder, { recursive: true, force: true })
    return {
      good: texts === '01234' && wrong.length === 0,
      figures: {
        'order of the messages': texts,
        'moments asked': moments.length,
        wrong: wrong.length === 0 ? 0 : wrong.join('; '),
      },
    }
  },
}
