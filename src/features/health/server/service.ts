import product from '../../../../package.json' with { type: 'json' }
import { desc, eq, isNotNull, sql } from 'drizzle-orm'
import { readdir, stat, statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { mails } from '#src/server/background/mail-table.ts'
import { backupFolder, isBackupName } from '#src/server/backup/archive.ts'
import type { Config } from '#src/server/config.ts'
import type { Database } from '#src/server/database/database.ts'
import { pingDatabase } from '#src/server/database/database.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import type { Language } from '#src/lib/language/language.ts'
import type { HealthReport } from '#src/features/content/server/feature.ts'
import { company } from '#company/company.ts'
import type { App } from '#src/server/types.ts'
import type { Label } from '#src/lib/feature.ts'
import { setTypography } from '#src/lib/language/texts.ts'
import { checkRunning } from '#src/server/doctor/run-checks.ts'
import type { ConnectionCheck, SystemHealth } from '../contract.ts'

/** Measures everything that the page shows; nothing is cached. */
export async function findHealth(app: App, range: 'hour' | 'day', now = Date.now()): Promise<SystemHealth> {
  return {
    taken_at: new Date(now).toISOString(),
    instance: `${hostname()}:${process.pid}`,
    version: product.version,
    build: app.siteBuild.version,
    node: process.version,
    started_at: new Date(now - process.uptime() * 1_000).toISOString(),
    memory: process.memoryUsage.rss(),
    sockets: app.realtime.io.engine.clientsCount,
    database: await findDatabase(app.db, app.config),
    queue: await findQueue(app),
    mail: await findMail(app),
    disk: await findDisk(app.config),
    backups: await findBackups(app.config, now),
    reports: await app.findHealthReports(),
    samples: range === 'hour' ? app.samples.lastHour(now) : app.samples.lastDay(),
  }
}

async function findDatabase(db: Database, { databaseUrl }: Config) {
  const begun = performance.now()
  await pingDatabase(db)
  const took = performance.now() - begun
  const size = await one(db, sql`select pg_database_size(current_database())::float8 as value`)
  return { status: databaseStatus(took), kind: databaseUrl ? ('postgres' as const) : ('pglite' as const), took, size }
}

async function findQueue({ db, queue, mailer }: App) {
  const is_ready = queue.isReady()
  const depth = Object.values(await queue.countJobs()).reduce((total, jobs) => total + jobs, 0)
  // A job scheduled for later, or waiting for its next attempt, is not late.
  const jobs = sql`select min(start_after) as at from queue.job
    where state in ('created', 'retry') and start_after <= now() and name = any(${sql.param(queue.names())}::text[])`
  const mail = sql`select min(${mails.dueAt}) as at from ${mails} where ${mails.state} = 'waiting'
    and ${mails.dueAt} <= now() and (${mails.endsAt} is null or ${mails.endsAt} > now()) and ${mailer.canSend}::boolean`
  const late = sql`select coalesce(extract(epoch from now() - min(at)), 0)::float8 as value from (${jobs} union ${mail}) late`
  const waited = is_ready ? await one(db, late) : 0
  const oldest_minutes = Math.max(0, Math.floor(waited / 60))
  return { status: queueStatus(is_ready, oldest_minutes), is_ready, depth, oldest_minutes }
}

async function findMail({ db, mailer }: App) {
  const count = (state: 'waiting' | 'failed') => db.$count(mails, eq(mails.state, state))
  const [waiting, failed] = [await count('waiting'), await count('failed')]
  const [last] = await db
    .select({ error: mails.lastError })
    .from(mails)
    .where(isNotNull(mails.lastError))
    .orderBy(desc(mails.id))
    .limit(1)
  const last_error = last?.error ?? null
  return {
    status: mailStatus({ canSend: mailer.canSend, waiting, failed }),
    can_send: mailer.canSend,
    waiting,
    failed,
    last_error,
  }
}

export async function findDisk({ dataDir }: Config) {
  const { bavail, blocks, bsize } = await statfs(dataDir)
  const [free, total] = [bavail * bsize, blocks * bsize]
  return { status: diskStatus(free, total), free, total }
}

const failedShown = 5

/** Jobs that used up their attempts and that no later one of the same queue made good. */
export async function findFailedJobs({ db, queue }: App): Promise<HealthReport | null> {
  if (!queue.isReady()) return null
  const { rows } = (await db.execute(sql`
    select name, max(completed_on) as at, count(*)::int as jobs from queue.job failed
    where state = 'failed' and name = any(${sql.param(queue.names())}::text[]) and not exists (
      select from queue.job later where later.name = failed.name and later.state = 'completed'
        and later.completed_on > failed.completed_on)
    group by name order by at desc limit ${failedShown}`)) as { rows: { name: string; at: Date | string; jobs: number }[] }
  const label = { fr: 'Tâches du serveur', en: 'Server tasks' }
  if (rows.length === 0) return null
  const lines = rows.map(({ name, at, jobs }) => {
    const when = (language: Language) =>
      formatDateTime(new Date(at).toISOString(), language, { timeZone: company.hours.timeZone })
    return {
      fr: `« ${name} » a échoué (${jobs}), la dernière fois le ${when('fr')}. Le journal du serveur en donne la cause.`,
      en: `“${name}” failed (${jobs}), the last time on ${when('en')}. The log of the server has the cause.`,
    }
  })
  const advice = {
    text: {
      fr: 'Corrigez cette cause : la tâche est reprise à sa prochaine heure, et disparaît d’ici dès qu’elle réussit.',
      en: 'Correct that cause: the task runs again at its next time, and leaves this list once it succeeds.',
    },
    link: { fr: 'Voir ce qui attend', en: 'See what is waiting' },
    path: '/admin/etat#work',
  }
  return { label, status: 'ERROR', lines, advice }
}

/** The checks of `guichet doctor` as lines of JSON, each as soon as it is known. */
export async function* findChecks({ config, checkMailbox }: App) {
  for await (const { check, state, message, fix } of checkRunning(config, checkMailbox)) {
    const found: ConnectionCheck = { check, state, message: typeset(message), fix: fix ? typeset(fix) : null }
    yield `${JSON.stringify(found)}\n`
  }
}

const typeset = ({ fr, en }: Label): Label => ({ fr: setTypography(fr, 'fr'), en: setTypography(en, 'en') })

export async function findBackups(config: Config, now: number) {
  const folder = backupFolder(config)
  const names = (await readdir(folder).catch(() => [])).filter(isBackupName)
  const all = await Promise.all(
    names.map(async (name) => {
      const { mtime, size } = await stat(join(folder, name))
      return { name, made_at: mtime.toISOString(), size }
    }),
  )
  const last = all.toSorted((first, second) => (first.made_at < second.made_at ? 1 : -1))[0] ?? null
  return { status: backupStatus(last && now - Date.parse(last.made_at)), count: all.length, last }
}

async function one(db: Database, query: ReturnType<typeof sql>) {
  const { rows } = (await db.execute(query)) as { rows: { value: number }[] }
  return rows[0]?.value ?? 0
}

type Status = 'OK' | 'WARNING' | 'ERROR'

const gigabyte = 2 ** 30
const hourMs = 3_600_000

const worse = (isBad: boolean, isDoubtful: boolean): Status => (isBad ? 'ERROR' : isDoubtful ? 'WARNING' : 'OK')

export const databaseStatus = (milliseconds: number) => worse(milliseconds > 1_000, milliseconds > 100)

/** `minutes`: how long the oldest job is overdue. */
export const queueStatus = (isReady: boolean, minutes: number) => worse(minutes > 60, !isReady || minutes > 5)

/** Without a mail server, emails are stored and not sent: a warning, not an error. */
export const mailStatus = ({ canSend, waiting, failed }: { canSend: boolean; waiting: number; failed: number }) =>
  worse(canSend && waiting > 50, !canSend || waiting > 5 || failed > 0)

export const diskStatus = (free: number, total: number) =>
  worse(free < total * 0.03 || free < gigabyte / 4, free < total * 0.1 || free < gigabyte)

/** `age` of the last backup in milliseconds; one is made each night. */
export const backupStatus = (age: number | null) => worse(age !== null && age > 72 * hourMs, age === null || age > 26 * hourMs)
