import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { create, extract } from 'tar'

/** Of the build: an embedded database as PostgreSQL's `initdb` makes it, which takes seven seconds and a gigabyte of memory. */
const built = join('build', 'first-database.tar.gz')
/** Files flushed at once: the disk writes them together. */
const batch = 64

/** Writes the archive from which first starts take their database. `make` makes one in a folder. */
export async function packFirstDatabase(make: (folder: string) => Promise<unknown>, file = built) {
  // Else `make` would take the database of the build before.
  await rm(file, { force: true })
  const folder = await mkdtemp(join(tmpdir(), 'guichet-first-database-'))
  try {
    await make(folder)
    await mkdir(dirname(file), { recursive: true })
    await create({ file, cwd: folder, gzip: true, portable: true }, await readdir(folder))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Fills an empty folder from the build's archive; without one, PGlite makes the database itself. */
export async function unpackFirstDatabase(folder: string, file = join(process.cwd(), built)) {
  if (!existsSync(file) || (await readdir(folder)).length > 0) return
  // Renamed once it is whole on the disk: a start that is killed or loses power leaves an empty folder.
  const unfinished = `${folder}-new`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { mode: 0o700 })
  await extract({ file, cwd: unfinished, strict: true })
  const entries = await readdir(unfinished, { recursive: true, withFileTypes: true })
  const paths = entries.map((entry) => join(entry.parentPath, entry.name))
  for (let at = 0; at < paths.length; at += batch) await Promise.all(paths.slice(at, at + batch).map(flush))
  try {
    await rmdir(folder)
  } catch {
    // A disk of its own is mounted there: PGlite makes the database in it.
    return rm(unfinished, { recursive: true, force: true })
  }
  await rename(unfinished, folder)
  await flush(dirname(folder))
}

async function flush(path: string) {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
