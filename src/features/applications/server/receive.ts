import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { and, eq, gt, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import { readPublicJob } from '#src/features/jobs/server/service.ts'
import { cleanFileName, cutPieces } from '#src/features/requests/server/entries.ts'
import { countTrappedForm, findTrap, waitBeforeTaking } from '#src/features/requests/server/form-checks.ts'
import { writeBody } from '#src/features/requests/server/mail-out.ts'
import type { Sender } from '#src/features/requests/server/receive.ts'
import { pickText } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { isolateDirection, trimInvisible } from '#src/lib/text/plain-text.ts'
import { dayIn } from '#src/lib/time/dates.ts'
import { createConcurrencyLimit } from '#src/server/background/limited-worker.ts'
import { mails } from '#src/server/background/mail-table.ts'
import type { Database } from '#src/server/database/database.ts'
import { logger } from '#src/server/log.ts'
import { Problem } from '#src/server/problems.ts'
import { findPeriods, labelOfPeriod } from '#src/server/retention/periods.ts'
import type { App } from '#src/server/types.ts'
import type { ApplicationInput } from '../contract.ts'
import { applicationMailTexts } from '../mail-texts.ts'
import { applicationFilesMax, applicationFilesMaxBytes } from '../values.ts'
import { inspectDocument } from './inspect-document.ts'
import { applicationFilePieces, applicationFiles, applications } from './table.ts'

type Context = Pick<App, 'db' | 'limits' | 'mailer' | 'config' | 'content' | 'visits'>
export type SentFile = { name: string; bytes: Uint8Array }
type Row = typeof applications.$inferSelect

const perAddress = { points: 20, seconds: 600 }
/** Documents that are inspected at once. */
const inspect = createConcurrencyLimit(2)

/**
 * Stores what a person sent about a posting and returns its reference; the same form sent again is the same application. A
 * posting that closed while the form was filled in still takes it. What a trap caught waits for the staff, without any mail.
 */
export async function receiveApplication(
  context: Context,
  jobId: number,
  { input, files, sender }: { input: ApplicationInput; files: SentFile[]; sender: Sender },
): Promise<string> {
  const { db, config, limits } = context
  await limits.take('application', sender.address, perAddress)
  const job = await readPublicJob(context, jobId)
  const language = input.language ?? sender.language
  const documents = await checkFiles(files)
  const wait = waitBeforeTaking(config.secret, input)
  if (wait > 0) await pause(wait)
  const content = {
    firstName: trimInvisible(input.firstname),
    lastName: trimInvisible(input.lastname),
    email: input.email,
    phone: trimInvisible(input.phone),
    message: input.message.trim(),
  }
  const marks = input.client_id
    ? { clientId: input.client_id, contentHash: hashContent(jobId, content, documents) }
    : { clientId: null, contentHash: null }
  const known = await findSent(db, marks)
  if (known) return known
  const trap = findTrap(input, sender.isVouchedFor)
  if (trap && !(await countTrappedForm(db, config.secret, sender.address))) return takeReference(db)
  if (trap) logger.info({ trap }, 'an application caught in a trap waits for a decision')
  const source = input.source ?? null
  const { reference, isNew } = await db.transaction(async (tx) => {
    const [row] = await tx
      .insert(applications)
      .values({
        ...content,
        ...marks,
        reference: await takeReference(tx),
        jobId,
        jobTitle: pickText('fr', job.titre, job.titre_en),
        language,
        source,
        ...(trap && { status: 'suspected', trap }),
      })
      .onConflictDoNothing({ target: [applications.clientId, applications.contentHash] })
      .returning()
    // Of two that arrive at once the later one finds the earlier one's row.
    if (!row) return { reference: (await findSent(tx, marks)) ?? (await takeReference(tx)), isNew: false }
    for (const file of documents) await storeFile(tx, row.id, file)
    if (!trap) await announceApplication(tx, context, row)
    return { reference: row.reference, isNew: true }
  })
  const { page, headers } = sender
  if (isNew && !trap) context.visits.countSent({ kind: 'form', path: page, language, source, headers })
  return reference
}

/** Throws 413 or 422 with the field, so that the form marks it; a name gets the ending of what the file is. */
async function checkFiles(files: SentFile[]): Promise<SentFile[]> {
  const refuse = (status: 413 | 422, title: string, message: string) =>
    new Problem(status, title, 'A file of the application is not taken.', { errors: [{ path: 'files', message }] })
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (files.length > applicationFilesMax || size > applicationFilesMaxBytes) throw refuse(413, 'Too large', 'files too large')
  const documents = []
  for (const { name, bytes } of files) {
    const kind = await inspect(() => inspectDocument(bytes))
    if (!kind) throw refuse(422, 'Unusable file', 'not a document')
    const clean = cleanFileName(name)
    documents.push({ bytes, name: clean.toLowerCase().endsWith(`.${kind}`) ? clean : `${clean}.${kind}` })
  }
  return documents
}

const hashContent = (jobId: number, content: object, files: readonly SentFile[]) =>
  createHash('sha256')
    .update(
      JSON.stringify([
        jobId,
        content,
        files.map(({ name, bytes }) => [name, createHash('sha256').update(bytes).digest('base64url')]),
      ]),
    )
    .digest('base64url')

type Marks = Pick<Row, 'clientId' | 'contentHash'>

async function findSent(db: Database, { clientId, contentHash }: Marks) {
  if (!clientId || !contentHash) return null
  const [row] = await db
    .select({ reference: applications.reference })
    .from(applications)
    .where(and(eq(applications.clientId, clientId), eq(applications.contentHash, contentHash)))
  return row?.reference ?? null
}

/** `CA-2026-000001`. */
async function takeReference(db: Pick<Database, 'execute'>) {
  const taken = await db.execute(sql`select nextval('application_numbers') as number`)
  const [row] = (taken as { rows: { number: string | number }[] }).rows
  const year = dayIn(company.hours.timeZone, new Date()).slice(0, 4)
  return `CA-${year}-${String(row?.number).padStart(6, '0')}`
}

async function storeFile(tx: Database, applicationId: number, { name, bytes }: SentFile) {
  const [file] = await tx.insert(applicationFiles).values({ applicationId, name, size: bytes.length }).returning()
  if (!file) throw new Error('the file was not stored')
  for (const { position, bytes: piece } of cutPieces(bytes))
    await tx.insert(applicationFilePieces).values({ fileId: file.id, position, bytes: piece })
}

/** No more acknowledgements a day leave to one address: the form must not become a way to flood somebody. */
const acknowledgementsPerDay = 3

/** Notifies the staff and the applicant, in the caller's transaction; the mail to the applicant repeats nothing they typed. */
export async function announceApplication(tx: Database, { mailer, config }: Pick<Context, 'mailer' | 'config'>, row: Row) {
  const t = translator(applicationMailTexts, row.language)
  const french = translator(applicationMailTexts, 'fr')
  const { reference } = row
  const address = config.publicUrl ? `${config.publicUrl}/admin/candidatures/${row.id}` : null
  const staffMailId = await mailer.enqueue(tx, {
    to: company.emails.hr,
    replyTo: row.email,
    subject: french('staffSubject', { reference, title: isolateDirection(row.jobTitle) }),
    // The file stays where rights protect it and a period ends it.
    ...writeBody(
      'fr',
      [
        french('staffText', {
          name: isolateDirection(`${row.firstName} ${row.lastName}`),
          title: isolateDirection(row.jobTitle),
        }),
      ],
      address === null ? null : { label: french('staffLink'), address },
      company.name,
    ),
  })
  const email = row.email.toLowerCase()
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`acknowledgement ${email}`}))`)
  const sent = await tx.$count(
    mails,
    sql`${mails.id} in (select own_mail_id from applications where lower(email) = ${email}) and ${gt(mails.createdAt, new Date(Date.now() - 86_400_000))}`,
  )
  const ownMailId =
    sent >= acknowledgementsPerDay
      ? null
      : await mailer.enqueue(tx, {
          to: row.email,
          replyTo: company.emails.hr,
          subject: t('ownSubject', { reference }),
          ...writeBody(
            row.language,
            [
              t('received', { reference }),
              t('next'),
              t('rights', {
                period: labelOfPeriod((await findPeriods(tx)).applications)[row.language],
                email: company.people.privacyOfficer.email,
              }),
            ],
            null,
            company.name,
          ),
          headers: { autoSubmitted: 'auto-replied' },
        })
  await tx.update(applications).set({ staffMailId, ownMailId }).where(eq(applications.id, row.id))
}
