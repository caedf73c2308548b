/** Microseconds. Some kernels count CPU time in ticks of 4 ms, so that a shorter measurement is mostly chance. */
const minMeasurable = 40_000

/**
 * Ratio of CPU time at ten times the size: about 10 where work is linear, about 100 where it is quadratic. Ten small runs are
 * compared with one large run, in CPU time, so that other processes do not distort the ratio; both are repeated until the small
 * ones can be measured.
 */
export function timeGrowth(work: (size: number) => void, size: number) {
  const tenSmall = () => {
    for (let run = 0; run < 10; run += 1) work(size)
  }
  let repetitions = 1
  const shortest = (measured: () => void) => Math.min(...Array.from({ length: 3 }, () => processorTime(measured, repetitions)))
  while (shortest(tenSmall) < minMeasurable) repetitions *= 2
  return (shortest(() => work(size * 10)) / Math.max(minMeasurable / 2, shortest(tenSmall))) * 10
}

/** The same for work that waits, with two runs of each size; the work itself must be long enough to be measured. */
export async function timeAsyncGrowth(work: (size: number) => Promise<unknown>, size: number) {
  const shortest = async (measured: () => Promise<unknown>) => {
    const times = []
    for (let run = 0; run < 2; run += 1) {
      const startedAt = process.threadCpuUsage()
      await measured()
      times.push(elapsedSince(startedAt))
    }
    return Math.max(minMeasurable / 10, Math.min(...times))
  }
  const tenSmall = async () => {
    for (let time = 0; time < 10; time += 1) await work(size)
  }
  await tenSmall()
  return ((await shortest(() => work(size * 10))) / (await shortest(tenSmall))) * 10
}

function processorTime(work: () => void, repetitions: number) {
  const startedAt = process.threadCpuUsage()
  for (let run = 0; run < repetitions; run += 1) work()
  return elapsedSince(startedAt)
}

function elapsedSince(startedAt: NodeJS.CpuUsage) {
  const { user, system } = process.threadCpuUsage(startedAt)
  return user + system
}
