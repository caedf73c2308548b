import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { and, eq } from 'drizzle-orm'
import { company } from '#company/company.ts'
import { instantOf } from '#src/lib/time/zoned-time.ts'
import type { Database } from '#src/server/database/database.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Audio } from './audio.ts'
import { readAudio } from './audio.ts'
import { readCallName } from './call-facts.ts'
import { ImportRefusal } from './refusal.ts'
import { gramsOf, searchedText } from './search-text.ts'
import { auditFactsOf } from './service.ts'
import type { GivenFacts } from './call-facts.ts'
import type { RecordingStorage } from './storage.ts'
import { registerPendingFile, markFilesForRemoval } from './orphan-files.ts'
import { recordingPeaks, recordings, strayFiles } from './table.ts'

export type ImportContext = {
  db: Database
  storage: RecordingStorage
  /** For what is made on the way. */
  workFolder: string
  author: Author
}

type Incoming = { path: string; name: string; given?: GivenFacts | undefined }
type Imported = { id: number; isNew: boolean }

/** Makes a recording of a file; the same content under the same name is the one that is there already. */
export async function importFile(context: ImportContext, { path, name: givenName, given }: Incoming): Promise<Imported> {
  const name = cleanName(givenName)
  const sha256 = await hashOf(path)
  const known = await findKnown(context.db, sha256, name)
  if (known) return { id: known, isNew: false }
  const call = readFacts(name, given)
  await mkdir(context.workFolder, { recursive: true })
  const converted = join(context.workFolder, `${randomUUID()}.wav`)
  try {
    return await store(context, { name, sha256, call, audio: await readAudio(path, converted) })
  } finally {
    await rm(converted, { force: true })
  }
}

type Ready = { name: string; sha256: string; call: ReturnType<typeof readFacts>; audio: Audio }

async function store({ db, storage, author }: ImportContext, { name, sha256, call, audio }: Ready): Promise<Imported> {
  const storageKey = `${call.startedAt.toISOString().slice(0, 7).replace('-', '/')}/${randomUUID()}.${audio.type}`
  await registerPendingFile(db, storageKey)
  await storage.put(storageKey, audio)
  return db.transaction(async (tx) => {
    const { caller, callee, agent } = call
    const searched = searchedText([caller, callee, agent])
    const { type, bytes, durationMs, peaks } = audio
    const grams = gramsOf(searched)
    const [row] = await tx
      .insert(recordings)
      .values({ ...call, fileName: name, sha256, storageKey, type, bytes, durationMs, searched, grams })
      .onConflictDoNothing()
      .returning()
    if (!row) {
      // Another import of the same file was faster.
      await markFilesForRemoval(tx, [storageKey])
      return { id: (await findKnown(tx, sha256, name)) ?? 0, isNew: false }
    }
    await tx.insert(recordingPeaks).values({ recordingId: row.id, peaks })
    await tx.delete(strayFiles).where(eq(strayFiles.storageKey, storageKey))
    await recordChange(tx, author, { area: 'recordings', action: 'import', entryId: row.id, after: auditFactsOf(row) })
    return { id: row.id, isNew: true }
  })
}

async function findKnown(db: Database, sha256: string, name: string) {
  const [known] = await db
    .select({ id: recordings.id })
    .from(recordings)
    .where(and(eq(recordings.sha256, sha256), eq(recordings.fileName, name)))
  return known?.id ?? null
}

/** The name without its folders, as any system writes them. */
function cleanName(name: string) {
  const last = name.split(/[/\\]/).at(-1)?.trim() ?? ''
  const isUsable = last !== '' && last.length <= 255 && last.isWellFormed() && !/\p{Cc}/u.test(last)
  if (!isUsable) throw new ImportRefusal('name')
  return last
}

function readFacts(name: string, given: GivenFacts = {}) {
  const facts: GivenFacts = { ...readCallName(name), ...given }
  const { date, caller = '', callee = '', agent = '' } = facts
  if (!date || (caller === '' && callee === '')) throw new ImportRefusal('noFacts')
  return { startedAt: instantOfDate(date), direction: facts.direction ?? 'in', caller, callee, agent }
}

function instantOfDate(date: string) {
  const [day = '', time = ''] = date.split('T')
  if (!/^\d\d:\d\d:\d\d$/.test(time)) return new Date(date)
  const minute = instantOf(company.hours.timeZone, day, time.slice(0, 5))
  return new Date(minute.getTime() + Number(time.slice(6)) * 1_000)
}

async function hashOf(path: string) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
