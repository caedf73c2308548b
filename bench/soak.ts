import { becomeAvailable, openTechnician, openVisitor, pause, startConversation, trusting } from '../chaos/clients.ts'
import { startProduct } from '../e2e/product.ts'
import { printTable } from './table.ts'

const minutes = Number(process.env.SOAK_MINUTES ?? 10)
const warmUpMs = minutes * 60_000 * 0.3
const lookMs = 5_000
const token = 'a-token-for-the-soak'
const visitors = 20
const paths = ['/', '/reseau', '/team', '/?lang=en', '/api/networks/reseau', '/api/employees/employes', '/contact']

type Look = { at: number; resident: number; heap: number }

/** Ten minutes of ordinary load; the growth of memory is given as a slope, measured after the first third. */
export async function benchSoak() {
  const product = await startProduct({ ...trusting, METRICS_TOKEN: token })
  const technician = await openTechnician(product.address())
  await becomeAvailable(technician)
  const counts = { pages: 0, messages: 0, failed: 0, reconnected: 0 }
  const end = performance.now() + minutes * 60_000
  const isOver = () => performance.now() >= end

  async function read(number: number) {
    for (let turn = number; !isOver(); turn += 1) {
      const answer = await fetch(product.address() + paths[turn % paths.length]).catch(() => null)
      await answer?.text().catch(() => null)
      if (answer?.ok) counts.pages += 1
      else counts.failed += 1
      await pause(50)
    }
  }

  async function talk(number: number) {
    for (let turn = 0; !isOver(); turn += 1) {
      const visitor = openVisitor(product.address(), number + turn * visitors)
      try {
        const idChat = await startConversation(visitor, `Visitor ${number}`)
        for (let count = 0; count < 20 && !isOver(); count += 1) {
          const sent = { id_chat: idChat, message: `Message ${count}`, client_message_id: crypto.randomUUID() }
          const answer = await visitor.timeout(5_000).emitWithAck('chat:send-message', sent)
          if (answer.ok) counts.messages += 1
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

  const looks: Look[] = []
  async function watch() {
    while (!isOver()) {
      const found = await look(product.address()).catch(() => null)
      if (found) looks.push(found)
      await pause(lookMs)
    }
  }

  const begun = performance.now()
  await Promise.all([watch(), ...[0, 1, 2, 3].map(read), ...Array.from({ length: visitors }, (_, number) => talk(number))])
  const steady = looks.filter(({ at }) => at - begun > warmUpMs)
  printTable(`Soak of ${minutes} minutes`, [
    { ...counts, ...row('memory', steady, 'resident'), ...row('heap', lows(steady), 'heap') },
  ])
  technician.close()
  await product.stop()
}

async function look(origin: string): Promise<Look> {
  const text = await (await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text()
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]) / 2 ** 20
  const found = { resident: figure('process_resident_memory_bytes'), heap: figure('nodejs_heap_size_used_bytes') }
  return { at: performance.now(), ...found }
}

/** Memory left after garbage collection: the lowest sample of each half-minute. */
function lows(looks: Look[]) {
  const groups = Map.groupBy(looks, ({ at }) => Math.floor(at / 30_000))
  return [...groups.values()].flatMap((group) => group.toSorted((one, other) => one.heap - other.heap).slice(0, 1))
}

function row(name: string, looks: Look[], field: 'resident' | 'heap') {
  return {
    [`${name} (MB)`]: looks.at(-1)?.[field] ?? Number.NaN,
    [`${name} (MB/h)`]: slope(looks.map((one) => [one.at / 3_600_000, one[field]])),
  }
}

/** Slope of the least-squares line through the points. */
function slope(points: [number, number][]) {
  const mean = (index: 0 | 1) => points.reduce((sum, point) => sum + point[index], 0) / points.length
  const [meanX, meanY] = [mean(0), mean(1)]
  const above = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  return above / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
}
