import { rm, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { and, desc, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import type { Importer } from '#src/features/content/server/importing.ts'
import { UnusableSource } from '#src/features/content/server/importing.ts'
import type { LocalizedText } from '#src/lib/form-result.ts'
import { everyRight } from '#src/lib/rights.ts'
import { text } from '#src/lib/schemas.ts'
import type { Progress } from '#src/server/backup/dump.ts'
import { sendLines } from '#src/server/command-line/lines.ts'
import { guichetAuthor } from '#src/server/http/command-key.ts'
import { LocalizedError } from '#src/server/localized-error.ts'
import { Conflict, Invalid, isDiskFull, NotFound, Problem } from '#src/server/problems.ts'
import type { App, Routes } from '#src/server/types.ts'
import type { ImportResult } from '../contract.ts'
import { importMap, importParams } from '../contract.ts'
import { examineFile } from './read-table.ts'
import { claimImports, removeWaiting, startImport, stopImport, undoImport } from './run.ts'
import type { ImportRow } from './service.ts'
import { choicesOf, findImport, findImporter, findImports, findSource, prepareImport, toResult } from './service.ts'
import { imports } from './table.ts'
import { findWhole } from './whole.ts'

const command = { config: { access: 'command import' } } as const
const author = guichetAuthor('import')
const pollMs = 200

export const importOrder = z.strictObject({
  kind: z.string().max(40),
  path: z
    .string()
    .max(4_000)
    .refine((path) => isAbsolute(path) || path.startsWith('imap:')),
  /** Name of the file, as shown. */
  file: z.string().max(200),
  /** The command wrote the file for the product, which removes it. */
  owns_file: z.boolean(),
  dry_run: z.boolean(),
  map: importMap.optional(),
  as: z.string().max(40).optional(),
  source: text(500).optional(),
  staff: text(500).optional(),
  uploads: z.string().max(500).refine(isAbsolute).optional(),
  fetch: z.boolean().optional(),
})
export type ImportOrder = z.infer<typeof importOrder>

/** For `guichet import`, which may do what an administrator of every area may. */
export const importCommandRoutes: Routes = async (app) => {
  app.post('/command', { ...command, schema: { hide: true, body: importOrder } }, (request, reply) => {
    const { body } = request
    return sendLines(
      reply,
      ({ started, progress, signal }) =>
        importFile(app, body, { started, progress, signal }).catch(async (error: unknown) => {
          if (body.owns_file) await rm(body.path, { force: true })
          throw error
        }),
      explain,
    )
  })
  app.post('/command/list', { ...command, schema: { hide: true } }, async () => {
    const { rows, total } = await findImports(app, 1)
    return { rows, total }
  })
  app.post('/command/:id/stop', { ...command, schema: { hide: true, params: importParams } }, async (request) => {
    await stopImport(app, request.params.id)
    return toResult(app, await findImport(app.db, request.params.id))
  })
  app.post('/command/:id/undo', { ...command, schema: { hide: true, params: importParams } }, (request, reply) => {
    const { params } = request
    const undo = async () => {
      await undoImport(app, author, await findImport(app.db, params.id))
      return toResult(app, await findImport(app.db, params.id))
    }
    return sendLines(reply, undo, explainUndo)
  })
}

type Report = { started: (id: number) => void; progress: Progress; signal: AbortSignal }

async function importFile(app: App, order: ImportOrder, report: Report): Promise<ImportResult> {
  const { kind, path, file } = order
  const importer = findImporter(app, kind)
  const examined = await examineSource(importer, path)
  if (!examined)
    throw new LocalizedError({
      fr: `Le produit ne peut pas lire le fichier ${path}.`,
      en: `The product cannot read the file ${path}.`,
    })
  const { sha256, charset } = examined
  const source = order.source?.trim() || (await findSource(importer, { path, charset })) || sha256
  const given = { kind, file, path, charset, source, ownsFile: order.owns_file }
  const begun = order.dry_run ? undefined : await findBegun(app, given, examined)
  if (begun && order.owns_file && begun.path !== path) await rm(path, { force: true })
  const chosen = choicesOf(order)
  const reportProgress: Progress = (done, total) => {
    report.signal.throwIfAborted()
    report.progress(done, total)
  }
  const id = begun?.id ?? (await prepareImport(app, author, everyRight(app.areas), { ...given, map: chosen }, reportProgress))
  const row = await findImport(app.db, id)
  if (order.dry_run) {
    const result = await toResult(app, row)
    await removeWaiting(app, row)
    return result
  }
  if (row.state !== 'running') await startImport(app, author, row)
  report.started(id)
  return follow(app, id, report)
}

type Examined = { sha256: string; charset: string; changedAt: Date }

/** Null where there is nothing that can be read. What may change while it is read never goes on where it was. */
async function examineSource(importer: Importer, path: string): Promise<Examined | null> {
  const takesFolders = 'takesFolders' in importer
  const changing = { sha256: path, charset: 'utf-8', changedAt: new Date() }
  if (!isAbsolute(path)) return takesFolders ? changing : null
  const found = await stat(path).catch(() => null)
  if (found?.isDirectory() && takesFolders) return changing
  return found?.isFile() ? { ...(await examineFile(path)), changedAt: found.mtime } : null
}

/** The import of the same file that was interrupted, which goes on. */
async function findBegun(app: App, given: Pick<ImportRow, 'kind' | 'path' | 'source'>, { sha256, changedAt }: Examined) {
  const rows = await app.db
    .select()
    .from(imports)
    .where(
      and(
        eq(imports.kind, given.kind),
        eq(imports.source, given.source),
        inArray(imports.state, ['running', 'stopped', 'failed']),
      ),
    )
    .orderBy(desc(imports.id))
  return rows.find((row) => row.source === sha256 || (row.path === given.path && changedAt < row.createdAt))
}

/** Until it ends. Where no queue runs, as beside a product that is stopped, it runs here. */
async function follow(app: App, id: number, { progress, signal }: Report) {
  const never = new AbortController().signal
  const here: Promise<void>[] = []
  for (;;) {
    const whole = findWhole(id)
    if (whole) {
      progress(whole.done, whole.total)
      if (signal.aborted) await stopImport(app, id).catch(() => undefined)
      await pause(pollMs)
      continue
    }
    for (const run of await claimImports(app, never)) here.push(run())
    const row = await findImport(app.db, id)
    progress(row.done, row.total)
    if (row.state !== 'running') break
    // An import of the queue goes on without the command; one that runs here ends at a whole entry.
    if (signal.aborted && here.length === 0) break
    if (signal.aborted) await stopImport(app, id).catch(() => undefined)
    await pause(pollMs)
  }
  await Promise.all(here)
  const row = await findImport(app.db, id)
  if (row.state === 'failed' && row.error) throw new LocalizedError(row.error)
  return toResult(app, row)
}

function explain(error: unknown): LocalizedText | null {
  if (error instanceof UnusableSource) return error.reason
  if (isDiskFull(error))
    return {
      fr: 'Le disque du serveur est plein. Libérez de l’espace, puis relancez la même commande.',
      en: 'The server disk is full. Free some space, then run the same command again.',
    }
  if (error instanceof Conflict)
    return {
      fr: 'Une autre importation est en cours. Attendez sa fin, ou arrêtez-la dans l’administration.',
      en: 'Another import is running. Wait until it ends, or stop it in the administration.',
    }
  return error instanceof Problem ? { fr: error.message, en: error.message } : null
}

function explainUndo(error: unknown): LocalizedText | null {
  if (error instanceof NotFound) return { fr: 'Cette importation n’existe pas.', en: 'There is no such import.' }
  if (error instanceof Conflict || error instanceof Invalid)
    return {
      fr: 'Cette importation ne peut pas être annulée : elle n’a rien écrit, elle l’est déjà, ou ses 30 jours sont passés.',
      en: 'This import cannot be undone: it wrote nothing, it is undone already, or its 30 days are over.',
    }
  return null
}
