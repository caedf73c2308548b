import { startProduct } from '../e2e/product.ts'
import {
  becomeAvailable,
  openTechnician,
  openVisitor,
  readConversation,
  sendUntilAcknowledged,
  startConversation,
  trusting,
} from './clients.ts'
import type { Row } from './row.ts'

const kills = 20
const conversations = 50
const messagesEach = 200

export const killServer: Row = {
  name: 'kill',
  fault: `kill -9 the server ${kills} times during ${conversations * messagesEach} messages from ${conversations} chats`,
  async run() {
    const product = await startProduct({ ...trusting })
    const technician = await openTechnician(product.address())
    await becomeAvailable(technician)

    const wanted = conversations * messagesEach
    let acknowledged = 0
    let lastAcknowledged = performance.now()
    let longestGap = 0
    const noteAcknowledged = () => {
      const now = performance.now()
      longestGap = Math.max(longestGap, now - lastAcknowledged)
      lastAcknowledged = now
      acknowledged += 1
    }

    // All of them begin before the first kill: a start is not repeated.
    const begun = await Promise.all(
      Array.from({ length: conversations }, async (_, number) => {
        const visitor = openVisitor(product.address(), number)
        return { number, visitor, idChat: await startConversation(visitor, `Visitor ${number}`) }
      }),
    )
    const talk = async ({ number, visitor, idChat }: (typeof begun)[number]) => {
      for (let index = 0; index < messagesEach; index += 1) {
        await sendUntilAcknowledged(visitor, idChat, `${number}/${index}`)
        noteAcknowledged()
      }
      return { number, visitor, idChat }
    }
    const talking = Promise.all(begun.map(talk))
    const restarts: number[] = []
    for (let kill = 1; kill <= kills; kill += 1) {
      const due = (wanted * kill) / (kills + 1)
      await until(() => acknowledged >= due)
      const startedAt = performance.now()
      await product.restart('SIGKILL')
      restarts.push(performance.now() - startedAt)
    }

    const talked = await talking
    let absent = 0
    let twice = 0
    let outOfOrder = 0
    for (const { number, visitor, idChat } of talked) {
      const stored = await readConversation(visitor, idChat)
      const texts = stored.map(({ message }) => message)
      const expected = Array.from({ length: messagesEach }, (_, index) => `${number}/${index}`)
      absent += expected.filter((text) => !texts.includes(text)).length
      twice += texts.length - new Set(texts).size
      outOfOrder += texts.filter((text, index) => text !== expected[index]).length
      outOfOrder += stored.filter(({ seq }, index) => seq !== index + 1).length
      visitor.close()
    }
    technician.close()
    await product.stop()
    return {
      good: absent === 0 && twice === 0 && outOfOrder === 0 && acknowledged === wanted,
      figures: {
        acknowledged,
        kills: restarts.length,
        'acknowledged but absent': absent,
        'stored twice': twice,
        'out of order': outOfOrder,
        'longest gap (ms)': Math.round(longestGap),
        'longest restart (ms)': Math.round(Math.max(...restarts)),
      },
    }
  },
}

function until(isTrue: () => boolean) {
  return new Promise<void>((resolve) => {
    const look = setInterval(() => {
      if (!isTrue()) return
      clearInterval(look)
      resolve()
    }, 5)
  })
}
