import { startProduct } from '../e2e/product.ts'
import { reconnection, reconnectDelay } from '../src/features/chat/client/connection.ts'
import type { VisitorConnection } from './clients.ts'
import { becomeAvailable, connected, openTechnician, openVisitor, pause, startConversation, trusting } from './clients.ts'
import type { Row } from './row.ts'

const visitors = 2_000
const stated = 10_000

export const restartCrowd: Row = {
  name: 'crowd',
  fault: `${visitors} visitors connected, the server restarted`,
  async run() {
    const product = await startProduct({ ...trusting })
    const technician = await openTechnician(product.address())
    await becomeAvailable(technician)
    const crowd: VisitorConnection[] = []
    for (let number = 0; number < visitors; number += 1) {
      const visitor = openVisitor(product.address(), number, reconnection)
      crowd.push(visitor)
      await (number % 100 === 0 ? startConversation(visitor, `Visitor ${number}`) : connected(visitor))
    }

    const returns: number[] = []
    let startedAt = 0
    for (const visitor of crowd) {
      visitor.on('disconnect', (reason) => {
        // Socket.IO does not reconnect by itself after a disconnection by the server; the widget does.
        if (reason === 'io server disconnect') setTimeout(() => visitor.connect(), reconnectDelay())
      })
      visitor.once('connect', () => returns.push(performance.now() - startedAt))
    }
    startedAt = performance.now()
    await product.restart('SIGTERM')
    const back = performance.now() - startedAt
    while (returns.length < visitors * 0.95 && performance.now() - startedAt < 60_000) await pause(20)
    const ordered = returns.toSorted((one, other) => one - other)
    const at = (ratio: number) => Math.round(ordered[Math.floor(visitors * ratio) - 1] ?? Number.NaN)
    const busiest = busiestSecond(ordered)
    for (const visitor of crowd) visitor.close()
    technician.close()
    await product.stop()
    return {
      good: at(0.95) - back <= stated,
      figures: {
        'server back (ms)': Math.round(back),
        'half back (ms)': at(0.5),
        '95 % back (ms)': at(0.95),
        'stated, after the server (ms)': stated,
        'most in one second': busiest,
      },
    }
  },
}

function busiestSecond(times: number[]) {
  const seconds = new Map<number, number>()
  for (const time of times) seconds.set(Math.floor(time / 1_000), (seconds.get(Math.floor(time / 1_000)) ?? 0) + 1)
  return Math.max(0, ...seconds.values())
}
