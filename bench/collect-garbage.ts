import { writeFileSync } from 'node:fs'
import { collectGarbage } from '#src/server/testing/collect-garbage.ts'

/** Preloaded into the measured product: on SIGUSR2 it collects all garbage and writes the remaining memory to a file. */
process.on('SIGUSR2', () => {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  writeFileSync(process.env.LEFT_FILE ?? '', JSON.stringify({ heapUsed, arrayBuffers }))
})
