/** Microseconds: shorter times are below the resolution of the process clock. */
const minMeasurable = 1_000

/**
 * Ratio of CPU time at ten times the size: about 10 where work is linear, about 100 where it is quadratic. Ten small runs are
 * compared with one large run, in CPU time, so that other processes do not distort the ratio.
 */
export function timeGrowth(work: (size: number) => void, size: number) {
  const shortest = (measured: () => void) =>
    Math.max(minMeasurable, Math.min(...Array.from({ length: 5 }, () => processorTime(measured))))
  const tenSmall = () => {
    for (let time = 0; time < 10; time += 1) work(size)
  }
  tenSmall()
  return (shortest(() => work(size * 10)) / shortest(tenSmall)) * 10
}

/** The same for work that waits, with two runs of each size. */
export async function timeAsyncGrowth(work: (size: number) => Promise<unknown>, size: number) {
  const shortest = async (measured: () => Promise<unknown>) => {
    const times = []
    for (let run = 0; run < 2; run += 1) {
      const startedAt = process.threadCpuUsage()
      await measured()
      const { user, system } = process.threadCpuUsage(startedAt)
      times.push(user + system)
    }
    return Math.max(minMeasurable, Math.min(...times))
  }
  const tenSmall = async () => {
    for (let time = 0; time < 10; time += 1) await work(size)
  }
  await tenSmall()
  return ((await shortest(() => work(size * 10))) / (await shortest(tenSmall))) * 10
}

function processorTime(work: () => void) {
  const startedAt = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(startedAt)
  return user + system
}
