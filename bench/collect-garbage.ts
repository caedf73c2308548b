import { writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Loaded into the product that is measured: asked by a signal, it collects all garbage and writes down what is left. */
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

process.on('SIGUSR2', () => {
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  writeFileSync(process.env.LEFT_FILE ?? '', JSON.stringify({ heapUsed, arrayBuffers }))
})
