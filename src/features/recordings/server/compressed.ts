import { open } from 'node:fs/promises'

type Decoded = { channelData: Float32Array[]; samplesDecoded: number; sampleRate: number }
type Decoder = {
  ready: Promise<void>
  decode: (bytes: Uint8Array) => Decoded | Promise<Decoded>
  flush?: () => Promise<Decoded>
  free: () => void
}

const nothing = { samples: [], sampleRate: 1 }

/** Decodes an MP3 or an OGG (Opus, Vorbis) piece by piece: a long call takes no more memory than a short one. */
export async function openDecoder(path: string, kind: 'mp3' | 'ogg') {
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
