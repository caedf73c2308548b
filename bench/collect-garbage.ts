import { writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Preloaded into the measured product: on SIGUSR2 it collects all garbage and writes the remaining memory to a file. */
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

process.on('SIGUSR2', () => {
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  writeFileSync(process.env.LEFT_FILE ?? '', JSON.stringify({ heapUsed, arrayBuffers }))
})
