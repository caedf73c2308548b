import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { updateCopyFolder } from './places.ts'

type Address = { path?: string; host?: string | null; port?: number | string | null }

/**
 * Refuses every connection of this process but those to its database, so that a version that is only tried calls no device, no
 * customer and no monitored network. Returns what ends that.
 */
export function refuseOutgoing({ databaseUrl }: Pick<Config, 'databaseUrl'>) {
  const database = databaseUrl ? new URL(databaseUrl) : null
  const isDatabase = ({ host, port }: Address) =>
    database !== null && (host ?? 'localhost') === database.hostname && Number(port) === Number(database.port || 5_432)
  // oxlint-disable-next-line typescript/unbound-method -- called with the socket
  const connect = Socket.prototype.connect
  Socket.prototype.connect = function (this: Socket, ...given: unknown[]) {
    const address = readAddress(given)
    if (address.path !== undefined || isDatabase(address)) return Reflect.apply(connect, this, given) as Socket
    const refused = new Error(`a version that is being tried connects to nobody (${address.host}:${address.port})`)
    process.nextTick(() => this.destroy(refused))
    return this
  }
  return () => {
    Socket.prototype.connect = connect
  }
}

/** Options, port and host, or a path; Node's own callers wrap them in a list. */
function readAddress(given: unknown[]): Address {
  const [first, second] = (Array.isArray(given[0]) ? given[0] : given) as unknown[]
  if (typeof first === 'object' && first !== null) return first
  if (typeof first === 'string' && !/^\d+$/.test(first)) return { path: first }
  return { port: first as number, host: typeof second === 'string' ? second : null }
}

const servedName = 'served'

/** Marks a copy of the data that an update made as outdated: going back to it would lose what is sent from here on. */
export function noteServing({ dataDir }: Pick<Config, 'dataDir'>) {
  const folder = join(dataDir, updateCopyFolder)
  if (!existsSync(folder)) return
  const file = openSync(join(folder, servedName), 'w', 0o600)
  fsyncSync(file)
  closeSync(file)
}

export const hasServed = (copy: string) => existsSync(join(copy, servedName))
