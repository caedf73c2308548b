import { setFlagsFromString } from 'node:v8'

/**
 * `gently`: the heap is collected once it has grown by a quarter. `firmly`: as soon as that frees anything, and emptied pages are
 * given back at once; for works of a minute, because whatever else runs meanwhile takes twice the time.
 */
const modes = {
  gently: { on: '--heap-growing-percent=25', off: '--heap-growing-percent=0' },
  firmly: { on: '--memory-saver-mode', off: '--no-memory-saver-mode' },
}
const works = { gently: 0, firmly: 0 }

/**
 * V8 lets the heap grow to several times what is in use before it collects it, and keeps the emptied pages, which is faster: a
 * long work that leaves much garbage behind would take the memory of a small server. It takes less from now on, until the
 * returned function is called.
 */
export function saveMemory(how: keyof typeof modes) {
  let isOver = false
  works[how] += 1
  if (works[how] === 1) setFlagsFromString(modes[how].on)
  return () => {
    if (isOver) return
    isOver = true
    works[how] -= 1
    if (works[how] === 0) setFlagsFromString(modes[how].off)
  }
}
