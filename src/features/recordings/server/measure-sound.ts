import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { AudioType } from '../values.ts'
import { peakCount } from '../values.ts'
import { ImportRefusal } from './refusal.ts'
import { readWavFormat, readWavSamples, wavDecoder } from './wav.ts'

/** What is read of a sound that browsers play. */
export type Measured = { type: AudioType; bytes: number; durationMs: number; peaks: string }

type Kind = AudioType | 'gsm' | 'otherOgg'

/** So little is decoded at once: an Opus packet of one byte can be 120 ms of sound in two channels. */
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
  // Bare GSM has no head: each 33 bytes begin with the same four bits.
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
    // Interleaved channels: as many times the rate.
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
    // The loudest channel of two: one after the other would draw each moment twice.
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

/** Decodes an MP3 or an OGG (Opus, Vorbis) piece by piece: a long call takes no more memory than a short one. */
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
 * The loudest moments of a sound of unknown length, in bounded memory: when there are too many points,
 * each two become one and the following are twice as long.
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
