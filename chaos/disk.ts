import { spawnSync } from 'node:child_process'
import { rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** A file system of its own in memory, small enough to be filled. */
export function mount(folder: string, megabytes: number) {
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder])
  if (status !== 0) throw new Error(`a small file system could not be mounted: ${stderr.toString()}`)
}

/** Removes it with what is in it, also where a process that ends still has a file of it. */
export function unmount(folder: string) {
  const { status, stderr } = spawnSync('umount', ['--lazy', folder])
  if (status !== 0) throw new Error(`a small file system could not be removed: ${stderr.toString()}`)
}

/** Leaves no byte free; returns how to free them again. */
export function fill(disk: string) {
  const filler = join(disk, 'filler')
  // Whoever writes at the same time leaves less than was found, and it fails as a whole.
  for (let tries = 0; tries < 20; tries += 1) {
    const { bavail, bsize } = statfsSync(disk)
    if (spawnSync('fallocate', ['-l', String(bavail * bsize), filler]).status === 0) break
  }
  return () => rmSync(filler, { force: true })
}
