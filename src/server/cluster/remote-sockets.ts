import type { Namespace, Socket } from 'socket.io'
import { z } from 'zod'
import type { Cluster } from './cluster.ts'

/** A socket of another instance, as that instance describes it, and its rooms. */
export type RemoteSocket = { data: unknown; rooms: ReadonlySet<string> }
type Mirror = {
  sockets: Map<string, Map<string, RemoteSocket>>
  rooms: Map<string, number>
  listeners: ((gone: RemoteSocket[]) => void)[]
  touch: (socketId: string) => void
}
type AnyNamespace = Pick<Namespace, 'name' | 'adapter'> & { sockets: ReadonlyMap<string, Pick<Socket, 'rooms' | 'id'>> }
type ClusterLink = Pick<Cluster, 'isAlone' | 'send' | 'on' | 'onHello' | 'onGone'>

const one = z.tuple([z.string(), z.unknown(), z.array(z.string())])
const announcement = z.object({ all: z.boolean(), set: z.array(one), gone: z.array(z.string()) })
const mirrors = new WeakMap<object, Mirror>()

/**
 * Mirrors the sockets of the other instances in memory, so that presence is known also while Redis is down; the sockets of a
 * stopped instance are removed. `describe` returns what the others may know of a socket.
 */
export function mirrorSockets<N extends AnyNamespace>(
  cluster: ClusterLink,
  namespace: N,
  describe: (socket: N['sockets'] extends ReadonlyMap<string, infer S> ? S : never) => unknown,
) {
  if (cluster.isAlone) return
  const topic = `sockets ${namespace.name}`
  const mirror: Mirror = { sockets: new Map(), rooms: new Map(), listeners: [], touch }
  mirrors.set(namespace, mirror)
  const due = new Set<string>()
  let isWhole = false
  let timer: NodeJS.Immediate | undefined

  /** A socket without rooms is not announced. */
  const written = (id: string) => {
    const socket = namespace.sockets.get(id)
    const rooms = [...(namespace.adapter.sids.get(id) ?? [])].filter((room) => room !== id)
    return socket && rooms.length > 0 ? ([id, describe(socket as never), rooms] as const) : null
  }
  function touch(id: string) {
    due.add(id)
    timer ??= setImmediate(announce)
  }
  function announce() {
    timer = undefined
    const ids = isWhole ? [...namespace.sockets.keys()] : [...due]
    const known = ids.map((id) => ({ id, is: written(id) }))
    cluster.send(topic, {
      all: isWhole,
      set: known.flatMap(({ is }) => (is ? [is] : [])),
      gone: isWhole ? [] : known.filter(({ is }) => !is).map(({ id }) => id),
    })
    due.clear()
    isWhole = false
  }
  cluster.onHello(() => {
    isWhole = true
    timer ??= setImmediate(announce)
  })
  for (const event of ['join-room', 'leave-room']) {
    namespace.adapter.on(event, (room: string, id: string) => {
      if (room !== id) touch(id)
    })
  }

  cluster.on(topic, (data, from) => {
    const read = announcement.safeParse(data)
    if (!read.success) return
    const { all, set, gone } = read.data
    const before = mirror.sockets.get(from) ?? new Map<string, RemoteSocket>()
    mirror.sockets.set(from, before)
    const present = new Set(set.map(([id]) => id))
    const left = all ? [...before.keys()].filter((id) => !present.has(id)) : gone
    for (const [id, facts, rooms] of set) put(mirror, before, id, { data: facts, rooms: new Set(rooms) })
    for (const id of left) put(mirror, before, id, null)
    for (const listener of mirror.listeners) listener([])
  })
  cluster.onGone((instance) => {
    const gone = mirror.sockets.get(instance)
    if (!gone) return
    const sockets = [...gone.values()]
    for (const id of [...gone.keys()]) put(mirror, gone, id, null)
    mirror.sockets.delete(instance)
    for (const listener of mirror.listeners) listener(sockets)
  })
}

/** The sockets of other instances that are in a room. */
export function remoteSockets(namespace: object): RemoteSocket[] {
  return [...(mirrors.get(namespace)?.sockets.values() ?? [])].flatMap((all) => [...all.values()])
}

/** The number of sockets in a room, on all instances. */
export function countInRoom(namespace: Pick<Namespace, 'adapter'>, room: string) {
  return (namespace.adapter.rooms.get(room)?.size ?? 0) + (mirrors.get(namespace)?.rooms.get(room) ?? 0)
}

/** Calls back when a remote socket changed; `gone` holds the sockets of a stopped instance. */
export function onRemoteChange(namespace: object, listener: (gone: RemoteSocket[]) => void) {
  mirrors.get(namespace)?.listeners.push(listener)
}

/** Announces a socket of this instance again after its description changed. */
export function touchSocket(namespace: object, socketId: string) {
  mirrors.get(namespace)?.touch(socketId)
}

function put(mirror: Mirror, all: Map<string, RemoteSocket>, id: string, is: RemoteSocket | null) {
  for (const room of all.get(id)?.rooms ?? []) {
    const left = (mirror.rooms.get(room) ?? 0) - 1
    if (left > 0) mirror.rooms.set(room, left)
    else mirror.rooms.delete(room)
  }
  if (!is) {
    all.delete(id)
    return
  }
  all.set(id, is)
  for (const room of is.rooms) mirror.rooms.set(room, (mirror.rooms.get(room) ?? 0) + 1)
}
