import { createReadStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open, stat } from 'node:fs/promises'
import type { AudioType } from '../values.ts'
import { peakCount } from '../values.ts'
import { ImportRefusal } from './refusal.ts'

/** Properties of audio that browsers can play. */
export type Measured = { type: AudioType; bytes: number; durationMs: number; peaks: string }

type Kind = AudioType | 'gsm' | 'otherOgg'

/** Small chunks, because an Opus packet of one byte can contain 120 ms of audio in two channels. */
const pieceBytes = 8 * 1024

/** Detects the format by content, never by file name; `converts` means that ffmpeg must convert it for browsers. */
export async function measureSound(path: string): Promise<Measured | { converts: 'gsm' | null }> {
  const kind = await sniff(path)
  if (!kind) throw new ImportRefusal('notAudio')
  if (kind === 'mp3' || kind === 'ogg') return measure(path, kind, readCompressed(path, kind))
  const own = kind === 'wav' ? await readWav(path) : null
  return own ?? { converts: kind === 'gsm' ? 'gsm' : null }
}

async function sniff(path: string): Promise<Kind | null> {
  const head = Buffer.alloc(64)
  const file = await open(path)
  const { bytesRead } = await file.read(head, 0, head.length, 0).finally(() => file.close())
  const text = head.toString('latin1')
  if (text.startsWith('RIFF') && text.startsWith('WAVE', 8)) return 'wav'
  if (text.startsWith('OggS')) return text.includes('OpusHead') || text.includes('\u0001vorbis') ? 'ogg' : 'otherOgg'
  if (text.startsWith('ID3')) return 'mp3'
  const [first = 0, second = 0] = head
  if (first === 0xff && (second & 0xe0) === 0xe0 && (second & 0x06) === 0x02) return 'mp3'
  // Raw GSM has no header: each frame of 33 bytes begins with the same four bits.
  const isGsm = bytesRead === 64 && first >> 4 === 0xd && (head[33] ?? 0) >> 4 === 0xd && (await stat(path)).size % 33 === 0
  return isGsm ? 'gsm' : null
}

type Piece = { samples: readonly Float32Array[]; sampleRate: number }

async function readWav(path: string): Promise<Measured | null> {
  const format = await readWavFormat(path)
  if (!format) throw new ImportRefusal('unreadable')
  const decode = wavDecoder(format)
  if (!decode) return null
  const { sampleRate, channels } = format
  async function* pieces(): AsyncGenerator<Piece> {
    // Interleaved channels multiply the sample rate.
    for await (const samples of readWavSamples(
      path,
      format as NonNullable<typeof format>,
      decode as NonNullable<typeof decode>,
    )) {
      yield { samples: [samples], sampleRate: sampleRate * channels }
    }
  }
  return measure(path, 'wav', format.dataBytes < format.block ? noPieces() : pieces())
}

async function* readCompressed(path: string, kind: 'mp3' | 'ogg'): AsyncGenerator<Piece> {
  const decoder = await openDecoder(path, kind)
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: pieceBytes })) yield await decoder.decode(chunk as Buffer)
    yield await decoder.flush()
  } finally {
    decoder.free()
  }
}

async function* noPieces(): AsyncGenerator<Piece> {}

async function measure(path: string, type: AudioType, pieces: AsyncIterable<Piece>): Promise<Measured> {
  const peaks = createPeaks()
  let seconds = 0
  for await (const { samples, sampleRate } of pieces) {
    const [first] = samples
    if (!first || first.length === 0) continue
    seconds += first.length / sampleRate
    // The louder of two channels at each point.
    peaks.add(samples[1] ? louder(first, samples[1]) : first)
  }
  if (seconds === 0) throw new ImportRefusal('unreadable')
  return { type, bytes: (await stat(path)).size, durationMs: Math.round(seconds * 1000), peaks: peaks.finish() }
}

function louder(one: Float32Array, other: Float32Array) {
  return one.map((level, at) => Math.max(Math.abs(level), Math.abs(other[at] ?? 0)))
}

type Decoded = { channelData: Float32Array[]; samplesDecoded: number; sampleRate: number }
type Decoder = {
  ready: Promise<void>
  decode: (bytes: Uint8Array) => Decoded | Promise<Decoded>
  flush?: () => Promise<Decoded>
  free: () => void
}

const nothing = { samples: [], sampleRate: 1 }

/** Decodes an MP3 or OGG (Opus, Vorbis) in chunks, so that a long call takes no more memory than a short one. */
async function openDecoder(path: string, kind: 'mp3' | 'ogg') {
  const decoder = kind === 'mp3' ? await makeMp3() : await makeOgg(path)
  await decoder.ready
  const samplesOf = ({ channelData, sampleRate }: Decoded) => ({ samples: channelData, sampleRate })
  return {
    decode: async (bytes: Uint8Array) => samplesOf(await decoder.decode(bytes)),
    flush: async () => (decoder.flush ? samplesOf(await decoder.flush()) : nothing),
    free: () => decoder.free(),
  }
}

async function makeMp3(): Promise<Decoder> {
  const { MPEGDecoder } = await import('mpg123-decoder')
  return new MPEGDecoder()
}

async function makeOgg(path: string): Promise<Decoder> {
  const head = Buffer.alloc(64)
  const file = await open(path)
  await file.read(head, 0, head.length, 0).finally(() => file.close())
  if (head.includes('OpusHead')) {
    const { OggOpusDecoder } = await import('ogg-opus-decoder')
    return new OggOpusDecoder()
  }
  const { OggVorbisDecoder } = await import('@wasm-audio-decoders/ogg-vorbis')
  return new OggVorbisDecoder()
}

/**
 * Peaks of audio of unknown length, in bounded memory: when there are too many points, pairs are merged and the following
 * points cover twice the time.
 */
function createPeaks() {
  let points: number[] = []
  let samplesPerPoint = 32
  let loudest = 0
  let filled = 0

  const halve = () => {
    points = Array.from({ length: points.length / 2 }, (_, at) => Math.max(points[at * 2] ?? 0, points[at * 2 + 1] ?? 0))
    samplesPerPoint *= 2
  }

  return {
    add(samples: Float32Array) {
      for (let at = 0; at < samples.length; at++) {
        const level = Math.abs(samples[at] ?? 0)
        if (level > loudest) loudest = level
        filled += 1
        if (filled < samplesPerPoint) continue
        points.push(loudest)
        loudest = 0
        filled = 0
        if (points.length === peakCount * 4) halve()
      }
    },
    /** At most `peakCount` points, one byte each, in base64. */
    finish() {
      const all = filled > 0 ? [...points, loudest] : points
      const count = Math.min(peakCount, all.length)
      const bytes = Uint8Array.from({ length: count }, (_, at) => {
        const part = all.slice(Math.floor((at * all.length) / count), Math.floor(((at + 1) * all.length) / count))
        return Math.round(Math.min(1, Math.max(...part)) * 255)
      })
      return Buffer.from(bytes).toString('base64')
    },
  }
}

type WavFormat = {
  encoding: number
  channels: number
  sampleRate: number
  bits: number
  /** Bytes of one sample of all channels. */
  block: number
  dataStart: number
  dataBytes: number
}

const encodings = { pcm: 1, float: 3, aLaw: 6, muLaw: 7, extensible: 0xfffe }

/** Reads the header of a WAV file; null where it is invalid. */
async function readWavFormat(path: string): Promise<WavFormat | null> {
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
      // A recorder stopped while writing leaves no length, or one beyond the end of the file.
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

/** Reader of the sample encoding; null for one that browsers cannot play either. */
function wavDecoder({ encoding, bits, channels, block, sampleRate }: WavFormat): Decode | null {
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

/** The samples of the file in chunks of whole frames. */
async function* readWavSamples(path: string, { dataStart, dataBytes, block }: WavFormat, decode: Decode) {
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

const sampleRate = 8_000

type Tone = { seconds: number; hertz?: number; isLoud?: (second: number) => boolean }

/** A WAV of a plain tone in phone quality: 8 kHz, one channel, 16 bits. For samples and tests. */
export function makeTone({ seconds, hertz = 440, isLoud = () => true }: Tone): Buffer<ArrayBuffer> {
  const count = Math.round(seconds * sampleRate)
  const wav = Buffer.alloc(44 + count * 2)
  wav.write('RIFF', 0, 'latin1')
  wav.writeUInt32LE(36 + count * 2, 4)
  wav.write('WAVEfmt ', 8, 'latin1')
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(sampleRate, 24)
  wav.writeUInt32LE(sampleRate * 2, 28)
  wav.writeUInt16LE(2, 32)
  wav.writeUInt16LE(16, 34)
  wav.write('data', 36, 'latin1')
  wav.writeUInt32LE(count * 2, 40)
  for (let at = 0; at < count; at++) {
    const second = at / sampleRate
    const level = isLoud(second) ? Math.sin(2 * Math.PI * hertz * second) * 0.3 : 0
    wav.writeInt16LE(Math.round(level * 0x7fff), 44 + at * 2)
  }
  return wav
}
