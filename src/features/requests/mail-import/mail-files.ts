import { openAsBlob } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileEntry } from '@zip.js/zip.js'
import { BlobReader, ZipReader } from '@zip.js/zip.js'
import { UnusableSource } from '#src/features/content/server/importing.ts'

/** One mail of a source: its size, the beginning of it with the head, and how to read all of it. */
export type FoundMail = { size: number; head: Buffer; read: () => Promise<Buffer> }
export type MailSource = { list: () => AsyncIterable<FoundMail>; close: () => Promise<void> }

/** Larger than any real head. */
const headMaxBytes = 64 * 1024
const chunkBytes = 1024 * 1024
/** Unpacked bytes for each byte of an archive. */
const ratioMax = 200

const notMail = {
  fr: 'Ce fichier n’est ni une boîte mbox, ni un courriel .eml, ni un zip de courriels .eml.',
  en: 'This file is not an mbox mailbox, an .eml mail or a zip of .eml mails.',
}
const badArchive = {
  fr: 'Ce zip est endommagé, ou il se décompresse en plus de 200 fois sa taille.',
  en: 'This zip is damaged, or unpacks to more than 200 times its size.',
}

const startOf = (path: string) => readPart(path, 0, headMaxBytes)

async function readPart(path: string, from: number, length: number) {
  const file = await open(path)
  try {
    return await readAt(file, from, length)
  } finally {
    await file.close()
  }
}

async function readAt(file: FileHandle, from: number, length: number) {
  const buffer = Buffer.alloc(length)
  let read = 0
  while (read < length) {
    const { bytesRead } = await file.read(buffer, read, length - read, from + read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return buffer.subarray(0, read)
}

const isField = (line: string) => /^[!-9;-~]{1,100}:/.test(line)

/** Opens an mbox, a folder or a zip of mails, or a single mail. */
export async function openMailFile(path: string): Promise<MailSource> {
  if ((await stat(path)).isDirectory()) return { list: () => listFolder(path), close: async () => {} }
  const start = (await startOf(path)).toString('latin1')
  if (start.startsWith('From ')) return openMbox(path)
  if (start.startsWith('PK\u0003\u0004')) return openArchive(path)
  if (!isField(start)) throw new UnusableSource(notMail)
  return { list: () => listOne(path), close: async () => {} }
}

async function* listOne(path: string): AsyncGenerator<FoundMail> {
  yield { size: (await stat(path)).size, head: await startOf(path), read: () => readFile(path) }
}

async function* listFolder(path: string): AsyncGenerator<FoundMail> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((one) => one.isFile() && /\.eml$/i.test(one.name)).map((one) => join(one.parentPath, one.name))
  for (const file of files.toSorted()) yield* listOne(file)
}

async function openMbox(path: string): Promise<MailSource> {
  const file = await open(path)
  return {
    close: () => file.close(),
    async *list() {
      for await (const { from, to } of findMails(file)) {
        const head = await readAt(file, from, Math.min(headMaxBytes, to - from))
        yield { size: to - from, head, read: async () => unescape(await readAt(file, from, to - from)) }
      }
    },
  }
}

const separator = Buffer.from('\nFrom ')

/** Where each mail begins after its `From ` line, and where it ends: at the blank line before the next one. */
async function* findMails(file: FileHandle): AsyncGenerator<{ from: number; to: number }> {
  const { size } = await file.stat()
  let from: number | null = null
  // A line break before the file, so that its first line is like the others.
  let rest: Buffer = Buffer.from('\n\n')
  let restAt = -2
  while (restAt + rest.length < size) {
    const read = await readAt(file, restAt + rest.length, Math.min(chunkBytes, size - restAt - rest.length))
    if (read.length === 0) break
    const text = Buffer.concat([rest, read])
    let searched = 0
    for (;;) {
      const found = text.indexOf(separator, searched)
      if (found === -1) break
      const lineEnd = text.indexOf('\n', found + separator.length)
      if (lineEnd === -1 && restAt + text.length < size && text.length - found < headMaxBytes) break
      searched = found + separator.length
      if (!isBlankBefore(text, found)) continue
      if (from !== null) yield { from, to: restAt + found }
      from = restAt + (lineEnd === -1 ? text.length : lineEnd + 1)
    }
    // The last line may be the beginning of a separator.
    const kept = Math.max(text.lastIndexOf('\n', text.length - 1) - 2, searched - separator.length, 0)
    rest = text.subarray(Math.min(kept, Math.max(0, text.length - 2)))
    restAt += text.length - rest.length
  }
  if (from !== null) yield { from, to: size }
}

/** An empty line, with either line end, comes before a separator. */
const isBlankBefore = (text: Buffer, at: number) => text[at - 1] === 10 || (text[at - 1] === 13 && text[at - 2] === 10)

/** Lines that began with `From ` were marked with `>` when they were written (mboxrd). */
function unescape(mail: Buffer) {
  if (!mail.includes('\n>')) return mail
  return Buffer.from(mail.toString('latin1').replaceAll(/^>(>*From )/gm, '$1'), 'latin1')
}

/** The first bytes of an entry: what an archive says of its sizes may be false. */
async function inflate(entry: FileEntry, most: number) {
  const chunks: Uint8Array[] = []
  let length = 0
  const output = new WritableStream<Uint8Array>({
    write(chunk) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= most) throw new Error('enough')
    },
  })
  await entry.getData(output).catch((error: unknown) => {
    if (length < most) throw error
  })
  return Buffer.concat(chunks).subarray(0, most)
}

async function openArchive(path: string): Promise<MailSource> {
  const blob = await openAsBlob(path)
  const zip = new ZipReader(new BlobReader(blob), { useWebWorkers: false, checkOverlappingEntry: true })
  let unpacked = 0
  return {
    close: () => zip.close(),
    async *list() {
      try {
        for await (const entry of zip.getEntriesGenerator()) {
          if (entry.directory || !/\.eml$/i.test(entry.filename)) continue
          const size = entry.uncompressedSize
          unpacked += size
          if (unpacked > blob.size * ratioMax) throw new UnusableSource(badArchive)
          yield { size, head: await inflate(entry, headMaxBytes), read: () => inflate(entry, size) }
        }
      } catch (error) {
        throw error instanceof UnusableSource ? error : new UnusableSource(badArchive, { cause: error })
      }
    },
  }
}
