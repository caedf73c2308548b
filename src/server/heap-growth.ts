import { setFlagsFromString } from 'node:v8'

const percent = 25
let works = 0

/**
 * V8 lets the heap grow to several times what is in use before it collects it, which is faster: a long work that leaves much
 * garbage behind would take the memory of a small server. From now on, and until the returned function is called, it
 * collects earlier.
 */
export function limitHeapGrowth() {
  let isOver = false
  works += 1
  if (works === 1) setFlagsFromString(`--heap-growing-percent=${percent}`)
  return () => {
    if (isOver) return
    isOver = true
    works -= 1
    // Zero: as V8 sees fit.
    if (works === 0) setFlagsFromString('--heap-growing-percent=0')
  }
}
