import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pause } from '../chaos/clients.ts'

const readEveryMs = 5_000
const collectMs = 60_000
/** A time and a size in megabytes. */
type Point = [at: number, megabytes: number]

/**
 * Measures the memory of a product under load, started with this environment. Resident memory grows until the collector sees a
 * reason to free it; a leak shows in what remains after a full collection.
 */
export function createMemoryWatch() {
  const folder = mkdtempSync(join(tmpdir(), 'guichet-memory-'))
  const leftFile = join(folder, 'left.json')
  const token = 'a-token-for-the-watch'

  async function readMemory(origin: string): Promise<Point> {
    const text = await (await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text()
    return [performance.now(), Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 2 ** 20]
  }

  async function collect(pid: number): Promise<Point> {
    process.kill(pid, 'SIGUSR2')
    await pause(readEveryMs)
    const { heapUsed = Number.NaN, arrayBuffers = Number.NaN } = JSON.parse(readFileSync(leftFile, 'utf8')) as Record<
      string,
      number
    >
    return [performance.now(), (heapUsed + arrayBuffers) / 2 ** 20]
  }

  return {
    environment: {
      METRICS_TOKEN: token,
      NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'collect-garbage.ts')).href}`,
      LEFT_FILE: leftFile,
    },
    /** Megabytes at the end and their slope an hour, from `begin` to `end` on the clock of `performance`. */
    async follow(product: { address: () => string; pid: () => number }, from: number, until: number) {
      const memory: Point[] = []
      const left: Point[] = []
      await pause(from - performance.now())
      for (let next = from; performance.now() + readEveryMs < until;) {
        memory.push(await readMemory(product.address()))
        if (performance.now() >= next) {
          left.push(await collect(product.pid()))
          next += collectMs
        } else await pause(readEveryMs)
      }
      rmSync(folder, { recursive: true, force: true })
      return { ...row('memory', memory), ...row('left', left) }
    },
  }
}

function row(name: string, points: Point[]) {
  return { [`${name} (MB)`]: points.at(-1)?.[1] ?? Number.NaN, [`${name} (MB/h)`]: slope(points) * 3_600_000 }
}

/** Slope of the least-squares line through the points. */
function slope(points: Point[]) {
  const mean = (index: 0 | 1) => points.reduce((sum, point) => sum + point[index], 0) / points.length
  const [meanX, meanY] = [mean(0), mean(1)]
  const above = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  return above / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
}
