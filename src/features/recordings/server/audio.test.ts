import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { readAudio } from './audio.ts'
import { makeTone } from './sound.ts'

// Each conversion starts ffmpeg and a worker thread, which a busy machine delays.
vi.setConfig({ testTimeout: 60_000 })

const folder = mkdtempSync(join(tmpdir(), 'guichet-audio-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, content: Uint8Array) {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

const read = (path: string) => readAudio(path, join(folder, 'converted.wav'))
const levelsOf = (peaks: string) => [...Buffer.from(peaks, 'base64')]

test('reads duration and peaks of a WAV', async () => {
  const { type, durationMs, peaks, bytes } = await read(file('a.wav', makeTone({ seconds: 4, isLoud: (second) => second >= 2 })))
  expect({ type, durationMs, bytes }).toEqual({ type: 'wav', durationMs: 4_000, bytes: 44 + 4 * 8_000 * 2 })
  const levels = levelsOf(peaks)
  expect(levels).toHaveLength(800)
  expect(Math.max(...levels.slice(0, 390))).toBe(0)
  expect(Math.min(...levels.slice(410))).toBeGreaterThan(60)
})

test('reads the duration of an unfinished WAV from its data', async () => {
  const tone = makeTone({ seconds: 2 })
  tone.writeUInt32LE(0, 40)
  expect((await read(file('unfinished.wav', tone))).durationMs).toBe(2_000)
  tone.writeUInt32LE(0xffff_ffff, 40)
  expect((await read(file('unfinished.wav', tone))).durationMs).toBe(2_000)
})

test.each([
  ['empty', Buffer.alloc(0), 'notAudio'],
  ['a text', Buffer.from('RIFF, says the drummer'), 'notAudio'],
  ['a page', Buffer.from('<html><script>alert(1)</script></html>'.repeat(4)), 'notAudio'],
  ['only a head', makeTone({ seconds: 1 }).subarray(0, 44), 'unreadable'],
  ['a head cut short', makeTone({ seconds: 1 }).subarray(0, 30), 'unreadable'],
  ['an MP3 of nothing', Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(40)]), 'unreadable'],
])('rejects %s', async (_what, content, reason) => {
  await expect(read(file('bad', content))).rejects.toMatchObject({ reason })
})

function converted(name: string, ...options: string[]) {
  const source = file('source.wav', makeTone({ seconds: 3 }))
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', source, ...options, join(folder, name)])
  return join(folder, name)
}

test.each([
  ['a.mp3', 'mp3', ['-c:a', 'libmp3lame', '-b:a', '16k']],
  ['opus.ogg', 'ogg', ['-c:a', 'libopus']],
  ['vorbis.ogg', 'ogg', ['-c:a', 'libvorbis']],
  ['mulaw.wav', 'wav', ['-c:a', 'pcm_mulaw']],
  ['alaw.wav', 'wav', ['-c:a', 'pcm_alaw']],
  ['stereo.wav', 'wav', ['-ac', '2', '-c:a', 'pcm_s24le']],
  ['call.gsm', 'wav', ['-c:a', 'libgsm', '-f', 'gsm']],
  ['call.WAV', 'wav', ['-c:a', 'libgsm_ms', '-f', 'wav']],
])('reads %s, or converts it for browsers', async (name, type, options) => {
  const audio = await read(converted(name, ...options))
  expect(audio.type).toBe(type)
  expect(Math.abs(audio.durationMs - 3_000)).toBeLessThan(250)
  expect(Math.max(...levelsOf(audio.peaks))).toBeGreaterThan(40)
})
