/** Prints each figure as it comes, for these take minutes, and counts those that are not good. */
export function createReport() {
  let failures = 0
  return {
    report(what: string, figure: string | number, isGood = true) {
      process.stdout.write(`  ${isGood ? '' : 'NOT GOOD: '}${what}: ${figure}\n`)
      if (!isGood) failures += 1
    },
    result: () => ({ good: failures === 0, figures: { 'figures that are not good': failures } }),
  }
}
export type Report = ReturnType<typeof createReport>['report']
