import { createSocket } from 'node:dgram'
import { isIP } from 'node:net'

/** A name server on the loopback (RFC 1035); `names` may change while it runs. */
export async function startNameServer(names: Record<string, string[]>) {
  const socket = createSocket('udp4')
  socket.on('message', (query, sender) => {
    const { name, type, end } = readQuestion(query)
    const list = names[name]
    const found = (list ?? []).filter((address) => isIP(address) === (type === 28 ? 6 : 4))
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(list ? 0x8580 : 0x8583, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(found.length, 6)
    socket.send(Buffer.concat([header, query.subarray(12, end), ...found.map((address) => record(type, address))]), sender.port)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return { address: `127.0.0.1:${socket.address().port}`, stop: () => void socket.close() }
}

function readQuestion(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function record(type: number, address: string) {
  const data = type === 28 ? bytesOf(address) : Buffer.from(address.split('.').map(Number))
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length])
  return Buffer.concat([head, data])
}

function bytesOf(address: string) {
  const [left = '', right = ''] = address.split('::')
  const groups = (text: string) => text.split(':').filter(Boolean)
  const missing = 8 - groups(left).length - groups(right).length
  const all = [...groups(left), ...Array.from({ length: missing }, () => '0'), ...groups(right)]
  return Buffer.from(all.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]))
}
