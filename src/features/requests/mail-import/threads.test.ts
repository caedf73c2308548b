import { expect, test } from 'vitest'
import { collectGarbage } from '#src/server/testing/collect-garbage.ts'
import { createThreads } from './threads.ts'

test('a mailbox takes the memory of what is read from each head, not of each mail', () => {
  const mails = 2_000
  const headBytes = 64 * 1024
  const threads = createThreads(() => false)
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  for (let at = 0; at < mails; at += 1) {
    const head = `From: Zoé Lavallée <client${at}@example.com>\r\nTo: soutien@example.com\r\nSubject: Imprimante hors ligne au deuxième étage\r\nMessage-ID: <un-message-${at}@example.com>\r\nReferences: <un-autre-message-${at}@example.com>\r\n\r\n`
    const buffer = Buffer.from(head + 'x'.repeat(headBytes - head.length))
    threads.add({ head: buffer, size: headBytes, read: async () => buffer.subarray(0, 0) }, at)
  }
  collectGarbage()
  // Read lazily by the caller, the content of a mail is no part of the figure: buffers lie outside of the heap.
  expect((process.memoryUsage().heapUsed - before) / mails).toBeLessThan(headBytes / 10)
  expect(threads.list().flatMap(({ mails: all }) => all.map(({ id }) => id))).toHaveLength(mails)
})
