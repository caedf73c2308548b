import { fsyncSync } from 'node:fs'
import { PGlite, types } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { drizzle } from 'drizzle-orm/pglite'
import type { OpenDatabase } from './database.ts'
import { lockFolder } from './folder-lock.ts'

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

/** PGlite converts `bytea` digit by digit in JavaScript, ten times slower than Node's hexadecimal. */
export const fastBytes = {
  serializers: {
    [types.BYTEA]: (bytes: Uint8Array) => `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`,
  },
  parsers: { [types.BYTEA]: (text: string) => Buffer.from(text.slice(2), 'hex') },
}

/** Opens the embedded database; throws where another process holds the folder. */
export async function openPglite(folder: string): Promise<OpenDatabase> {
  const release = await lockFolder(folder)
  const client = await PGlite.create({
    fs: new DurableNodeFS(folder),
    // -F turns fsync off.
    startParams: PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
    ...fastBytes,
    postgresqlconf: ['fsync=on', 'wal_sync_method=fsync', 'shared_buffers=32MB'],
  })
  return {
    ...overPglite(client),
    close: async () => {
      await client.close()
      release()
    },
  }
}

/** The same for an open client (tests use one in memory). */
export function overPglite(client: PGlite): OpenDatabase {
  return {
    db: drizzle(client),
    executeSql: (text, values) => runSql(client, text, values),
    kind: 'pglite',
    close: () => client.close(),
  }
}

async function runSql(client: PGlite, text: string, values?: unknown[]) {
  // The simple protocol takes several statements, the extended one takes values.
  if (values?.length) return { rows: (await client.query(text, values)).rows }
  const opensTransaction = /^\s*begin\b/i.test(text)
  // A failed block would leave the only connection in an aborted transaction, so run it in one.
  const results = opensTransaction ? await client.transaction((tx) => tx.exec(text)) : await client.exec(text)
  return { rows: results.flatMap((result) => result.rows) }
}
