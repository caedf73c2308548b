import { readFileSync } from 'node:fs'

/** The process that draws pictures for this one, by the file it runs; null while there is none. */
export function findPictureProcess() {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean)
  const found = children.find((pid) => readOfProcess(pid, 'cmdline').includes('picture-worker'))
  return found ? Number(found) : null
}

/** A file of /proc of a process; empty once the process has ended. */
export function readOfProcess(pid: number | string | null, file: string) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
