import { becomeAvailable, openTechnician, openVisitor, pause, startConversation, trusting } from '../chaos/clients.ts'
import { startProduct } from '../e2e/product.ts'
import { createMemoryWatch } from './memory.ts'
import { printTable } from './table.ts'

const minutes = Number(process.env.SOAK_MINUTES ?? 10)
const warmUpMs = minutes * 60_000 * 0.3
const visitors = 20
const paths = ['/', '/reseau', '/team', '/?lang=en', '/api/networks/reseau', '/api/employees/employes', '/contact']

/** Ten minutes of ordinary load; memory growth is a slope, measured after a warm-up. */
export async function benchSoak() {
  const watch = createMemoryWatch()
  const product = await startProduct({ ...trusting, ...watch.environment })
  const technician = await openTechnician(product.address())
  await becomeAvailable(technician)
  const counts = { pages: 0, messages: 0, failed: 0, reconnected: 0 }
  const startedAt = performance.now()
  const end = startedAt + minutes * 60_000
  const isOver = () => performance.now() >= end

  async function read(number: number) {
    for (let turn = number; !isOver(); turn += 1) {
      const response = await fetch(product.address() + paths[turn % paths.length]).catch(() => null)
      await response?.text().catch(() => null)
      if (response?.ok) counts.pages += 1
      else counts.failed += 1
      await pause(50)
    }
  }

  async function runConversations(number: number) {
    for (let turn = 0; !isOver(); turn += 1) {
      const visitor = openVisitor(product.address(), number + turn * visitors)
      try {
        const idChat = await startConversation(visitor, `Visitor ${number}`)
        for (let count = 0; count < 20 && !isOver(); count += 1) {
          const sent = { id_chat: idChat, message: `Message ${count}`, client_message_id: crypto.randomUUID() }
          const response = await visitor.timeout(5_000).emitWithAck('chat:send-message', sent)
          if (response.ok) counts.messages += 1
          else counts.failed += 1
          await pause(500)
        }
        await visitor.timeout(5_000).emitWithAck('chat:close', { id_chat: idChat })
      } catch {
        counts.reconnected += 1
      }
      visitor.close()
    }
  }

  const [memory] = await Promise.all([
    watch.follow(product, startedAt + warmUpMs, end),
    ...[0, 1, 2, 3].map(read),
    ...Array.from({ length: visitors }, (_, number) => runConversations(number)),
  ])
  printTable(`Soak of ${minutes} minutes`, [{ ...counts, ...memory }])
  technician.close()
  await product.stop()
}
