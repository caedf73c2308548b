/** How many times longer work takes at ten times the size: about 10 in proportion, about 100 where the time is squared. */
export function timeGrowth(work: (size: number) => void, size: number) {
  const shortest = (size: number) => Math.min(...[1, 2, 3].map(() => timeOf(() => work(size))))
  shortest(size)
  return shortest(size * 10) / shortest(size)
}

function timeOf(work: () => void) {
  const begun = performance.now()
  work()
  return performance.now() - begun
}
