import type { Connection, PoolClient, Submittable } from 'pg'
import type { Database } from '../database/database.ts'

/** Lines of text, each with its end. */
export type Lines = { bytes: Buffer; rows: number }

type CopyData = { chunk: Buffer }
/** The driver calls these handlers; it knows no COPY of its own. */
type Copy = Submittable & {
  handleCopyData: (message: CopyData) => void
  handleCommandComplete: () => void
  handleReadyForQuery: () => void
  handleError: (error: Error) => void
}

const blockBytes = 256 * 1_024
/** Blocks that wait before the server is held up. */
const mostBlocks = 4

/** The connection of a transaction on PostgreSQL; null on the embedded database. */
export function connectionOf(tx: Database): PoolClient | null {
  const { client } = tx._.session as unknown as { client: PoolClient | object }
  return 'connection' in client ? client : null
}

/**
 * The rows of a query with one column of JSON, as the server writes them: a tenth of what reading them one by one takes. Such
 * text holds neither of the control characters, so nothing is quoted.
 */
export async function* copyOut(client: PoolClient, query: string): AsyncGenerator<Lines> {
  const { stream } = (client as unknown as { connection: Connection }).connection
  const blocks: Lines[] = []
  let block = Buffer.allocUnsafe(blockBytes)
  let [length, rows, isDone, isAbandoned] = [0, 0, false, false]
  let failure: Error | null = null
  let wake: () => void = () => undefined
  const endBlock = () => {
    if (rows > 0 && !isAbandoned) blocks.push({ bytes: block.subarray(0, length), rows })
    block = Buffer.allocUnsafe(blockBytes)
    length = 0
    rows = 0
    if (blocks.length >= mostBlocks) stream.pause()
    wake()
  }
  const copy: Copy = {
    submit: (connection) => connection.query(`copy (${query}) to stdout (format csv, delimiter e'\\x02', quote e'\\x01')`),
    handleCopyData({ chunk }) {
      if (length + chunk.length > block.length) endBlock()
      if (chunk.length > block.length) block = Buffer.allocUnsafe(chunk.length)
      // The driver writes the next rows over these.
      chunk.copy(block, length)
      length += chunk.length
      rows += 1
    },
    handleCommandComplete: endBlock,
    handleReadyForQuery() {
      isDone = true
      wake()
    },
    handleError(error) {
      failure = error
      isDone = true
      wake()
    },
  }
  client.query(copy)
  try {
    // oxlint-disable-next-line no-unmodified-loop-condition -- set by the handlers
    while (!isDone || blocks.length > 0) {
      const next = blocks.shift()
      if (next) yield next
      else {
        stream.resume()
        await new Promise<void>((resolve) => (wake = resolve))
      }
    }
  } finally {
    // Where the reader has stopped, what is left must leave the connection.
    isAbandoned = true
    blocks.length = 0
    stream.resume()
  }
  if (failure) throw failure
}
