import { setFlagsFromString } from 'node:v8'

/**
 * `gently`: V8 collects the heap each time it has grown by a quarter. `firmly`: it collects more often and returns free pages to
 * the system; only for tasks of a few minutes, because requests take up to twice as long meanwhile.
 */
const modes = {
  gently: { on: '--heap-growing-percent=25', off: '--heap-growing-percent=0' },
  firmly: { on: '--memory-saver-mode', off: '--no-memory-saver-mode' },
}
const running = { gently: 0, firmly: 0 }

/**
 * Limits the memory of a long task until the returned function is called. By default V8 lets the heap grow to several times its
 * live size and pools the freed pages, which is faster, but too much for a small server.
 */
export function saveMemory(how: keyof typeof modes) {
  let isOver = false
  running[how] += 1
  if (running[how] === 1) setFlagsFromString(modes[how].on)
  return () => {
    if (isOver) return
    isOver = true
    running[how] -= 1
    if (running[how] === 0) setFlagsFromString(modes[how].off)
  }
}
