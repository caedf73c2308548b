const sampleRate = 8_000

type Tone = { seconds: number; hertz?: number; isLoud?: (second: number) => boolean }

/** A WAV of a plain tone, as telephones record: 8 kHz, one channel, 16 bits. For samples and tests. */
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
