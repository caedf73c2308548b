import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** A full collection of this process’s heap. */
export const collectGarbage = runInNewContext('gc') as () => void
