import { configure, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js'
import type { FileEntry } from '@zip.js/zip.js'
import { runInWorker, WorkerLimit } from '#src/server/background/limited-worker.ts'
import type { DocumentKind } from '../values.ts'

/** Limits of the worker and of what an archive may unpack to: a document with pictures is far below. */
const [timeMs, memoryMb] = [20_000, 256]
const mostUnpacked = 300_000_000
const mostRatio = 200
const mostEntries = 5_000

/** What a file is by its content, read in a worker; null where it is no document that is taken. */
export async function inspectDocument(bytes: Uint8Array): Promise<DocumentKind | null> {
  const worker = new URL(`./document-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url)
  try {
    return await runInWorker<DocumentKind | null>(worker, bytes, { timeMs, memoryMb })
  } catch (error) {
    if (error instanceof WorkerLimit) return null
    throw error
  }
}

/** Runs in the worker. */
export async function readDocumentKind(bytes: Uint8Array): Promise<DocumentKind | null> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // At its very beginning: a page of HTML with a PDF inside is none, though readers forgive it.
  if (file.subarray(0, 5).toString('latin1') === '%PDF-') return file.subarray(-2_048).includes('%%EOF') ? 'pdf' : null
  if (file.subarray(0, 8).toString('hex') === 'd0cf11e0a1b11ae1') return file.includes(wordStream) ? 'doc' : null
  return file.subarray(0, 4).toString('hex') === '504b0304' ? readZipKind(file) : null
}

/** Name of the text in a file of Word before 2007. */
const wordStream = Buffer.from('WordDocument', 'utf16le')
const openDocument = 'application/vnd.oasis.opendocument.text'

/** Every entry is unpacked and counted, because the sizes that an archive declares may be false. */
async function readZipKind(bytes: Uint8Array): Promise<DocumentKind | null> {
  configure({ useWebWorkers: false })
  const zip = new ZipReader(new Uint8ArrayReader(bytes))
  try {
    const entries = await zip.getEntries()
    if (entries.length > mostEntries || entries.some(({ encrypted }) => encrypted)) return null
    let left = Math.min(mostUnpacked, bytes.length * mostRatio)
    let mediaType = ''
    for (const entry of entries) {
      if (entry.directory) continue
      const start = await unpack(
        entry,
        () => left,
        (count) => (left -= count),
      )
      if (entry.filename === 'mimetype') mediaType = start
    }
    const names = new Set(entries.map(({ filename }) => filename))
    if (mediaType === openDocument) return 'odt'
    // A document with macros has another ending, and is not taken.
    const isWord = names.has('[Content_Types].xml') && names.has('word/document.xml') && !names.has('word/vbaProject.bin')
    return isWord ? 'docx' : null
  } catch {
    return null
  } finally {
    await zip.close()
  }
}

/** Returns the first characters. */
async function unpack(entry: FileEntry, left: () => number, take: (count: number) => void) {
  let start = ''
  await entry.getData(
    new WritableStream<Uint8Array>({
      write(chunk) {
        take(chunk.length)
        if (left() < 0) throw new Error('the archive unpacks to too much')
        if (start.length < openDocument.length) start += Buffer.from(chunk.subarray(0, openDocument.length)).toString('latin1')
      },
    }),
  )
  return start
}
