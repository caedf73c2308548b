import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from '#src/ui/api.ts'
import { attachedFilesPerChat } from '../values.ts'
import type { StaffMessage } from '../protocol.ts'
import { composerFileTexts } from './composer-files.tsx'
import type { OutgoingFile } from './outgoing-files.ts'
import { canRetry, createOutgoingFiles } from './outgoing-files.ts'

afterEach(() => void vi.restoreAllMocks())

const named = (name: string, size = 4) => new File([new Uint8Array(size)], name)
const settle = () => new Promise((resolve) => setTimeout(resolve))

/** Each upload waits until it is ended. */
function start() {
  const uploads: { name: string; id: string; end: (error?: unknown) => void; report: (sent: number) => void }[] = []
  const discarded: string[] = []
  const made = vi.fn<(name: string) => void>()
  const received: unknown[] = []
  const files = createOutgoingFiles(
    (_id, { file, clientMessageId }) => {
      made(file.name)
      return {
        total: file.size,
        hasPieces: false,
        discard: () => void discarded.push(file.name),
        run({ signal, onProgress }) {
          const { promise, resolve, reject } = Promise.withResolvers<{ message: StaffMessage }>()
          signal.addEventListener('abort', () => reject(signal.reason as Error))
          uploads.push({
            name: file.name,
            id: clientMessageId,
            report: (sent) => onProgress({ state: 'sending', sent, total: file.size, secondsLeft: null }),
            end: (error) => (error ? reject(error) : resolve({ message: { seq: uploads.length } as StaffMessage })),
          })
          return promise
        },
      }
    },
    (message) => received.push(message),
  )
  const states = (id = 1) => files.read(id).map(({ file, state }) => [file.name, state])
  return { files, uploads, states, discarded, made, received }
}

test('files wait for their author, then leave one after the other in their order', async () => {
  const { files, uploads, states } = start()
  files.add(1, [named('un.png'), named('deux.pdf')])
  files.add(2, [named('ailleurs.txt')])
  expect([states(), uploads, files.count()]).toEqual([
    [
      ['un.png', 'ready'],
      ['deux.pdf', 'ready'],
    ],
    [],
    3,
  ])
  files.send(1)
  files.send(1)
  expect(uploads.map(({ name }) => name)).toEqual(['un.png'])
  uploads[0]?.report(3)
  expect(files.read(1)[0]).toMatchObject({ state: 'sending', progress: { sent: 3, total: 4, secondsLeft: null } })
  uploads[0]?.end()
  await settle()
  expect(uploads.map(({ name }) => name)).toEqual(['un.png', 'deux.pdf'])
  uploads[1]?.end()
  await settle()
  expect([states(), states(2)]).toEqual([[], [['ailleurs.txt', 'ready']]])
})

test('a file that its author stops leaves the server nothing once removed, or goes on by the same upload', async () => {
  const { files, uploads, states, discarded, made, received } = start()
  files.add(1, [named('un.png'), named('deux.pdf')])
  files.send(1)
  files.stop(uploads[0]?.id ?? '')
  await settle()
  expect(states()).toEqual([
    ['un.png', 'stopped'],
    ['deux.pdf', 'sending'],
  ])
  files.stop(uploads[1]?.id ?? '')
  await settle()
  files.remove(1, uploads[1]?.id ?? '')
  expect([states(), discarded]).toEqual([[['un.png', 'stopped']], ['deux.pdf']])
  const [stopped] = files.read(1)
  expect(stopped && canRetry(stopped)).toBe(true)
  files.retry(1, uploads[0]?.id ?? '')
  uploads.at(-1)?.end()
  await settle()
  // One upload of each file, run again.
  expect([states(), received, made.mock.calls.flat()]).toEqual([[], [{ seq: 3 }], ['un.png', 'deux.pdf']])
})

test('a refused file holds up no other, and leaves again under the same id when its author asks', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const { files, uploads, states } = start()
  files.add(1, [named('un.png'), named('deux.pdf')])
  files.send(1)
  uploads[0]?.end(new ApiError(0, {}))
  await settle()
  uploads[1]?.end()
  await settle()
  expect(states()).toEqual([['un.png', 'fileFailed']])
  // The next answer does not send it without being asked.
  files.send(1)
  expect(uploads).toHaveLength(2)
  files.retry(1, uploads[0]?.id ?? '')
  expect([uploads.at(-1)?.name, uploads.at(-1)?.id]).toEqual(['un.png', uploads[0]?.id])
  uploads.at(-1)?.end()
  await settle()
  expect(states()).toEqual([])
})

test.each([
  [new ApiError(413, {}), 'fileTooLarge', false],
  [new ApiError(415, {}), 'fileWrongType', false],
  [new ApiError(422, {}), 'fileUnreadable', false],
  [new ApiError(409, { title: 'Too many files' }), 'fileLimit', false],
  [new ApiError(409, { title: 'Conflict' }), 'fileNotYours', true],
  [new ApiError(403, {}), 'fileForbidden', false],
  [new ApiError(401, {}), 'fileSignedOut', true],
  [new ApiError(429, {}), 'fileLimited', true],
  [new ApiError(500, {}), 'fileFailed', true],
  [new Error('the connection broke off'), 'fileFailed', true],
] as const)('%s is refused as %s', async (error, state, isRetriable) => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const { files, uploads } = start()
  files.add(1, [named('un.png')])
  files.send(1)
  uploads[0]?.end(error)
  await settle()
  const [refused] = files.read(1) as [OutgoingFile]
  expect([refused.state, canRetry(refused)]).toEqual([state, isRetriable])
  for (const texts of [composerFileTexts.fr, composerFileTexts.en]) expect(texts[state]).toMatch(/\.$/)
})

test('of fifty pictures a full conversation refuses the rest without another upload; they are removed together', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const { files, uploads } = start()
  files.add(
    1,
    Array.from({ length: 50 }, (_, index) => named(`${index + 1}.png`)),
  )
  files.send(1)
  for (let sent = 0; sent < attachedFilesPerChat; sent += 1) {
    uploads[sent]?.end()
    await settle()
  }
  uploads[attachedFilesPerChat]?.end(new ApiError(409, { title: 'Too many files' }))
  await settle()
  expect(uploads).toHaveLength(attachedFilesPerChat + 1)
  expect(files.read(1).map(({ state }) => state)).toEqual(Array(50 - attachedFilesPerChat).fill('fileLimit'))
  for (const { fileLimit } of [composerFileTexts.fr, composerFileTexts.en])
    expect(fileLimit).toContain(` ${attachedFilesPerChat} `)
  files.add(1, [named('ailleurs.png')])
  files.removeRefused(1)
  expect(files.read(1).map(({ file }) => file.name)).toEqual(['ailleurs.png'])
})

test('a file over 10 MB is refused before it leaves', () => {
  const { files, uploads, states } = start()
  files.add(1, [named('gros.png', 10 * 1024 * 1024 + 1), named('juste.png', 10 * 1024 * 1024)])
  files.send(1)
  expect([states(), uploads.map(({ name }) => name)]).toEqual([
    [
      ['gros.png', 'fileTooLarge'],
      ['juste.png', 'sending'],
    ],
    ['juste.png'],
  ])
})
