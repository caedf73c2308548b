import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32, createDeflate, deflateSync } from 'node:zlib'

/** A PDF of 30 KB whose packed objects inflate to 32 MB of escaped names. */
export function makePdfBomb() {
  const packed = deflateSync(Buffer.alloc(32 * 1024 * 1024 - 1, '#41'), { level: 9 })
  const head =
    '%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n2 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode >>\nstream\n'
  return Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n')])
}

/** A PNG of black 1-bit pixels: 50,000 x 50,000 of them take some hundred kilobytes. */
export async function makePngBomb(width: number, height: number) {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 1
  const row = Buffer.alloc(Math.ceil(width / 8) + 1)
  const rows = Buffer.concat(Array.from({ length: 100 }, () => row))
  const rowsLeft = function* () {
    for (let at = 0; at < height; at += 100) yield rows.subarray(0, row.length * Math.min(100, height - at))
  }
  const packed = await buffer(Readable.from(rowsLeft()).pipe(createDeflate({ level: 9 })))
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([magic, pngChunk('IHDR', head), pngChunk('IDAT', packed), pngChunk('IEND', Buffer.alloc(0))])
}

function pngChunk(name: string, data: Buffer) {
  const body = Buffer.concat([Buffer.from(name), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length, 0)
  ends.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}

/** An Ogg file of one-byte Opus packets, 120 ms of silence each: a page of 537 bytes plays for half a minute. */
export function makeOpusBomb(pages: number) {
  const head = Buffer.from('OpusHead\u0001\u0002\0\0\0\0\0\0\0\0\0', 'latin1')
  head.writeUInt32LE(48_000, 12)
  const tags = Buffer.from('OpusTags\0\0\0\0\0\0\0\0', 'latin1')
  const parts = [oggPage([head], 0, 0, 2), oggPage([tags], 1, 0, 0)]
  // Two empty frames of 60 ms (RFC 6716, 3.1).
  const packets = Array.from({ length: 255 }, () => Buffer.from([0x19]))
  for (let at = 0; at < pages; at += 1) parts.push(oggPage(packets, at + 2, (at + 1) * 255 * 5_760, at === pages - 1 ? 4 : 0))
  return Buffer.concat(parts)
}

function oggPage(packets: readonly Buffer[], sequence: number, granule: number, flags: number) {
  const head = Buffer.alloc(27)
  head.write('OggS')
  head[5] = flags
  head.writeBigUInt64LE(BigInt(granule), 6)
  head.writeUInt32LE(1, 14)
  head.writeUInt32LE(sequence, 18)
  head[26] = packets.length
  const page = Buffer.concat([head, Buffer.from(packets.map(({ length }) => length)), ...packets])
  page.writeUInt32LE(oggChecksum(page), 22)
  return page
}

function oggChecksum(bytes: Buffer) {
  let sum = 0
  for (const byte of bytes) {
    sum ^= byte << 24
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 0x8000_0000 ? (sum << 1) ^ 0x04c1_1db7 : sum << 1
  }
  return sum >>> 0
}
