import { accessSync, constants, existsSync, fsyncSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { PGlite, types } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { drizzle } from 'drizzle-orm/pglite'
import type { OpenDatabase } from './database.ts'
import { createPauses } from '../background/pauses.ts'
import { LocalizedError } from '../localized-error.ts'
import { unpackFirstDatabase } from './first-database.ts'
import { lockFolderOnceFree } from './folder-lock.ts'
import { removeLeftovers } from './leftover-files.ts'

type Stream = { nfd: number }
type SetAttributes = (target: unknown, attributes: { mode?: number }) => void
type WithNodeFs = {
  NODEFS: { node_ops: { setattr: SetAttributes }; stream_ops: { setattr: SetAttributes; fsync?: (stream: Stream) => number } }
}

/**
 * Emscripten's NODEFS does not fsync: after a crash of the machine acknowledged commits can be lost. It also creates files with
 * mode 0666, ignoring the umask.
 */
class DurableNodeFS extends NodeFS {
  override async init(...args: Parameters<NodeFS['init']>) {
    const made = await super.init(...args)
    const preRun = made.emscriptenOpts.preRun
    if (!Array.isArray(preRun)) throw new Error('PGlite changed: preRun is no list any more')
    preRun.push((module) => {
      const { node_ops: nodes, stream_ops: streams } = (module as unknown as WithNodeFs).NODEFS
      streams.fsync = (stream) => {
        fsyncSync(stream.nfd)
        return 0
      }
      nodes.setattr = withoutOthers(nodes.setattr)
      streams.setattr = withoutOthers(streams.setattr)
    })
    return made
  }
}

function withoutOthers(set: SetAttributes): SetAttributes {
  return (target, { mode, ...rest }) => set(target, mode === undefined ? rest : { ...rest, mode: mode & ~0o077 })
}

/** An empty statement in PostgreSQL's simple protocol: `Q`, the length and `;`. */
const emptyStatement = new Uint8Array([0x51, 0, 0, 0, 6, 0x3b, 0])

/** Of what V8 compiles from now on. The filter is the number of the only function that it may optimize; -1 is no filter. */
function setOptimized(functions: 'none' | 'all') {
  setFlagsFromString(`--wasm-tier-up-filter=${functions === 'none' ? 0 : -1}`)
}

/**
 * V8 optimizes what runs often, which doubles what the database does in a second, but takes 600 MB for one function: PostgreSQL's
 * parser of SQL, `raw_parser`. It is compiled at its first call.
 */
class PGliteInLessMemory extends PGlite {
  #hasParsed = false

  override execProtocolRawSync(message: Uint8Array) {
    if (!this.#hasParsed) {
      this.#hasParsed = true
      setOptimized('none')
      super.execProtocolRawSync(emptyStatement)
      setOptimized('all')
    }
    return super.execProtocolRawSync(message)
  }
}

/** PGlite converts `bytea` digit by digit in JavaScript, ten times slower than Node's hexadecimal. */
export const fastBytes = {
  serializers: {
    [types.BYTEA]: (bytes: Uint8Array) => `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`,
  },
  parsers: { [types.BYTEA]: (text: string) => Buffer.from(text.slice(2), 'hex') },
}

function damaged(folder: string, cause?: unknown) {
  return new LocalizedError(
    {
      fr: `La base intégrée de ${folder} est endommagée ou incomplète. Déplacez ce dossier ailleurs, puis restaurez la dernière copie de sécurité : npx guichet restore FICHIER.`,
      en: `The embedded database in ${folder} is damaged or incomplete. Move this folder elsewhere, then restore the last backup: npx guichet restore FILE.`,
    },
    'refused',
    { cause },
  )
}

const leastFreeBytes = 64 * 2 ** 20

/** Only a folder that can be read and written, on a disk with space, is damaged: moving it away helps with nothing else. */
export function explainFailedOpening(folder: string, cause: unknown, freeBytes = findFreeBytes(folder)): unknown {
  const message = cause instanceof Error ? cause.message : String(cause)
  if (cause instanceof RangeError || /out of memory|(could not|cannot) allocate|allocation failed/i.test(message)) return cause
  for (const path of [folder, join(folder, 'PG_VERSION'), join(folder, 'global/pg_control')]) {
    try {
      accessSync(path, constants.R_OK | constants.W_OK)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return error
    }
  }
  return freeBytes < leastFreeBytes ? fullDisk(folder, cause) : damaged(folder, cause)
}

const fullDisk = (path: string, cause: unknown) =>
  Object.assign(new Error('the disk is full', { cause }), { code: 'ENOSPC', path })

/** Time for the answers to what failed. */
const answerMs = 1_000

const explainEnd = (folder: string, cause: unknown) =>
  findFreeBytes(folder) < leastFreeBytes ? fullDisk(folder, cause) : new Error('the embedded database ended', { cause })

function findFreeBytes(folder: string) {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/**
 * Opens the embedded database; throws where another process holds the folder, for `waitMs` if it is stopping. One that is thrown
 * away need not be durable: a recovery would wait for the disk, and the disk of others with it.
 */
export async function openPglite(folder: string, { isDurable = true, waitMs = 0 } = {}): Promise<OpenDatabase> {
  const release = await lockFolderOnceFree(folder, waitMs)
  try {
    const client = await createClient(folder, isDurable)
    await removeLeftovers(folder, client)
    const { close, ...opened } = overPglite(client, (cause) => {
      const error = explainEnd(folder, cause)
      // Nothing is answered without the database: whoever started the process starts it again, and the database recovers.
      setTimeout(() => {
        throw error
      }, answerMs)
      return error
    })
    return { ...opened, findFreeBytes: () => findFreeBytes(folder), close: () => close().then(release) }
  } catch (error) {
    release()
    throw error
  }
}

async function createClient(folder: string, isDurable: boolean) {
  // PGlite would make a new database over what is left of the old one.
  if (existsSync(join(folder, 'global/pg_control')) && !existsSync(join(folder, 'PG_VERSION'))) throw damaged(folder)
  // Functions being optimized at the same time each take up to 80 MB.
  setFlagsFromString('--wasm-num-compilation-tasks=1')
  // Ten times V8's: what only a start runs often is not optimized, which saves 8 MB from then on.
  setFlagsFromString('--wasm-tiering-budget=130000000')
  await unpackFirstDatabase(folder)
  // PGlite makes the database, which parses SQL before the first statement.
  if (!existsSync(join(folder, 'PG_VERSION'))) setOptimized('none')
  const client = new PGliteInLessMemory({
    fs: new DurableNodeFS(folder),
    // -F turns fsync off.
    startParams: PGlite.defaultStartParams.filter((parameter) => !isDurable || parameter !== '-F'),
    ...fastBytes,
    postgresqlconf: [...(isDurable ? ['fsync=on', 'wal_sync_method=fsync'] : []), 'shared_buffers=8MB'],
  })
  try {
    await client.waitReady
    return client
  } catch (cause) {
    throw explainFailedOpening(folder, cause)
  }
}

/** The same for an open client (tests use one in memory). `explain` is told why PostgreSQL ended by itself, and says what to throw. */
export function overPglite(client: PGlite, explain: (cause: unknown) => unknown = (cause) => cause): OpenDatabase {
  takeTurns(client, throwAtEnd(client, explain))
  return {
    db: drizzle(client),
    executeSql: (text, values) => runSql(client, text, values),
    kind: 'pglite',
    close: () => client.close(),
  }
}

/**
 * PGlite answers within microtasks, so that a row of queries would keep everything else of the process waiting to its end. The
 * turn is taken inside the lock, so that statements keep their order.
 */
function takeTurns(client: PGlite, throwIfEnded: () => void) {
  const pause = createPauses()
  /* oxlint-disable no-underscore-dangle -- its names in PGlite */
  const run = client._runExclusiveQuery.bind(client)
  client._runExclusiveQuery = (work) =>
    run(async () => {
      await pause()
      throwIfEnded()
      // PGlite would run what waited for the lock after what closes the database, on a server that is gone, and never end.
      if (!client.ready) throw new Error('the embedded database is closing')
      return work()
    })
  /* oxlint-enable no-underscore-dangle */
}

type Internals = {
  POSTGRES_MAIN_LONGJMP: number
  Module: { _PostgresMainLoopOnce: () => void; stackRestore: (pointer: number) => void }
}

/**
 * PostgreSQL ends itself where it cannot go on, as where a full disk leaves its log no new segment. PGlite ignores that and asks
 * it again for ever (electric-sql/pglite#1058), so that the process answers nothing any more: here the query fails instead, as
 * all later ones do. Returns what throws for those.
 */
function throwAtEnd(client: PGlite, explain: (cause: unknown) => unknown) {
  /* oxlint-disable no-underscore-dangle -- its names in PGlite */
  const { Module: postgres, POSTGRES_MAIN_LONGJMP: jump } = client as unknown as Internals
  const [runOnce, restore] = [postgres._PostgresMainLoopOnce, postgres.stackRestore]
  let ended: { error: unknown } | null = null
  const throwIfEnded = () => {
    if (ended) throw ended.error
  }
  postgres._PostgresMainLoopOnce = () => {
    throwIfEnded()
    try {
      runOnce()
    } catch (error) {
      // An error of a statement is a jump.
      if ((error as { status?: number }).status !== jump) ended ??= { error: explain(error) }
      throw error
    }
  }
  // Called once the exception is caught, before PGlite asks again.
  postgres.stackRestore = (pointer) => {
    restore(pointer)
    throwIfEnded()
  }
  /* oxlint-enable no-underscore-dangle */
  return throwIfEnded
}

async function runSql(client: PGlite, text: string, values?: unknown[]) {
  // The simple protocol takes several statements, the extended one takes values.
  if (values?.length) return { rows: (await client.query(text, values)).rows }
  const opensTransaction = /^\s*begin\b/i.test(text)
  // A failed block would leave the only connection in an aborted transaction, so run it in one.
  const results = opensTransaction ? await client.transaction((tx) => tx.exec(text)) : await client.exec(text)
  return { rows: results.flatMap((result) => result.rows) }
}
