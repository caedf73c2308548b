import { createReadStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'

type WavFormat = {
  encoding: number
  channels: number
  sampleRate: number
  bits: number
  /** Bytes of one moment of all channels. */
  block: number
  dataStart: number
  dataBytes: number
}

const encodings = { pcm: 1, float: 3, aLaw: 6, muLaw: 7, extensible: 0xfffe }

/** Reads the head of a WAV file; null where it is broken. */
export async function readWavFormat(path: string): Promise<WavFormat | null> {
  const file = await open(path)
  try {
    return await findChunks(file, (await file.stat()).size)
  } finally {
    await file.close()
  }
}

async function findChunks(file: FileHandle, size: number): Promise<WavFormat | null> {
  let format: Omit<WavFormat, 'dataStart' | 'dataBytes'> | null = null
  const head = Buffer.alloc(40)
  for (let at = 12; at + 8 <= size;) {
    const { bytesRead } = await file.read(head, 0, head.length, at)
    const name = head.toString('latin1', 0, 4)
    const length = head.readUInt32LE(4)
    if (name === 'fmt ' && bytesRead >= 24) format = readFormat(head)
    if (name === 'data') {
      if (!format) return null
      // A system that was stopped while it wrote leaves no length, or one that is not there.
      const left = size - at - 8
      return { ...format, dataStart: at + 8, dataBytes: length === 0 || length > left ? left : length }
    }
    at += 8 + length + (length % 2)
  }
  return null
}

function readFormat(head: Buffer) {
  const encoding = head.readUInt16LE(8)
  return {
    encoding: encoding === encodings.extensible ? head.readUInt16LE(32) : encoding,
    channels: head.readUInt16LE(10),
    sampleRate: head.readUInt32LE(12),
    block: head.readUInt16LE(20),
    bits: head.readUInt16LE(22),
  }
}

type Decode = (bytes: Buffer) => Float32Array

/** How the samples are read; null for an encoding that browsers do not play either. */
export function wavDecoder({ encoding, bits, channels, block, sampleRate }: WavFormat): Decode | null {
  const width = bits / 8
  if (channels === 0 || sampleRate === 0 || block !== width * channels) return null
  const each = (read: (bytes: Buffer, at: number) => number): Decode => {
    return (bytes) => Float32Array.from({ length: bytes.length / width }, (_, at) => read(bytes, at * width))
  }
  if (encoding === encodings.pcm && bits === 8) return each((bytes, at) => (bytes.readUInt8(at) - 128) / 128)
  if (encoding === encodings.pcm && bits === 16) return each((bytes, at) => bytes.readInt16LE(at) / 0x8000)
  if (encoding === encodings.pcm && bits === 24) return each((bytes, at) => bytes.readIntLE(at, 3) / 0x80_0000)
  if (encoding === encodings.pcm && bits === 32) return each((bytes, at) => bytes.readInt32LE(at) / 0x8000_0000)
  if (encoding === encodings.float && bits === 32) return each((bytes, at) => bytes.readFloatLE(at))
  if (encoding === encodings.muLaw && bits === 8) return each((bytes, at) => muLaw(bytes.readUInt8(at)))
  if (encoding === encodings.aLaw && bits === 8) return each((bytes, at) => aLaw(bytes.readUInt8(at)))
  return null
}

/** The samples of the file, piece by piece, whole moments only. */
export async function* readWavSamples(path: string, { dataStart, dataBytes, block }: WavFormat, decode: Decode) {
  let rest = Buffer.alloc(0)
  const stream = createReadStream(path, { start: dataStart, end: dataStart + dataBytes - 1 })
  for await (const chunk of stream) {
    const bytes = Buffer.concat([rest, chunk as Buffer])
    const whole = bytes.length - (bytes.length % block)
    rest = bytes.subarray(whole)
    yield decode(bytes.subarray(0, whole))
  }
}

// G.711, without its sign: only the loudness is drawn.
function muLaw(byte: number) {
  const code = ~byte & 0x7f
  return ((((code & 0x0f) << 3) + 0x84) * 2 ** (code >> 4) - 0x84) / 0x8000
}

function aLaw(byte: number) {
  const code = (byte ^ 0x55) & 0x7f
  const [exponent, mantissa] = [code >> 4, code & 0x0f]
  return (exponent === 0 ? (mantissa << 4) + 8 : ((mantissa << 4) + 0x108) * 2 ** (exponent - 1)) / 0x8000
}
