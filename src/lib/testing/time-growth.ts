/** Microseconds: the clock of a process goes by steps, and below this they are all it tells. */
const minMeasurable = 1_000

/**
 * How many times longer work takes at ten times the size: about 10 in proportion, about 100 where the time is squared.
 * Ten small ones are set against a large one, in time of the processor: what else the machine does counts for neither.
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

function processorTime(work: () => void) {
  const startedAt = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(startedAt)
  return user + system
}
