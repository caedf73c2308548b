import { createReadStream } from 'node:fs'
import { basename, isAbsolute } from 'node:path'
import { z } from 'zod'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Progress } from '#src/server/backup/dump.ts'
import { sendLines } from '#src/server/command-line/lines.ts'
import { guichetAuthor } from '#src/server/http/command-key.ts'
import { isDiskFull } from '#src/server/problems.ts'
import type { Routes } from '#src/server/types.ts'
import { dataExport, exportParams } from '../contract.ts'
import { exportsFeature } from '../feature.ts'
import { writeArchive } from './archive.ts'
import { guichetImporter } from './importer.ts'
import {
  endExports,
  exportHours,
  findExport,
  findExports,
  noteFetched,
  openExport,
  startExport,
  stopExport,
  takeExport,
} from './service.ts'
import { purgeImportedRows } from './undo-archive.ts'
import { dataExports, importedRows } from './table.ts'

const access = { access: 'company administrator' } as const
const endsAfterMs = exportHours * 3_600_000

const exportOrder = z.strictObject({ file: z.string().max(4_000).refine(isAbsolute) })
const unwritable = new Set(['ENOENT', 'EACCES', 'EPERM', 'EROFS', 'EISDIR', 'ENOTDIR'])

const explainUnwritable = (file: string) => (error: unknown) => {
  if (isDiskFull(error)) return { fr: 'Le disque est plein.', en: 'The disk is full.' }
  const { code = '' } = error as NodeJS.ErrnoException
  return unwritable.has(code) ? { fr: `Le produit ne peut pas écrire ${file}.`, en: `The product cannot write ${file}.` } : null
}

/** `/api/exports/exports`: archives of everything, each for the user who asked for it. */
const exportRoutes: Routes = async (app) => {
  app.queue.recur({ most: 1, take: (_count, stopping) => takeExport(app, stopping) })
  app.queue.schedule('exports-end', '10 * * * *', async () => {
    await endExports(app, new Date(Date.now() - endsAfterMs), 1_000)
  })
  const schema = { params: exportParams, response: { 200: dataExport } }
  app.get('/exports', { config: access, schema: { response: { 200: z.array(dataExport) } } }, (request) =>
    findExports(app, request.actor.userId),
  )
  app.post('/command', { config: { access: 'command export' }, schema: { hide: true, body: exportOrder } }, (request, reply) => {
    const { body } = request
    const write = async ({ progress, signal }: { progress: Progress; signal: AbortSignal }) => {
      const report = async (done: number, total: number | null) => Promise.resolve(progress(done, total))
      const summary = await writeArchive(app, body.file, report, signal)
      await recordChange(app.db, guichetAuthor('export'), {
        area: 'company',
        action: 'export',
        entryId: `export/${basename(body.file)}`,
      })
      return summary
    }
    return sendLines(reply, write, explainUnwritable(body.file))
  })
  app.post(
    '/exports',
    { config: { ...access, recentSignIn: true }, schema: { response: { 201: dataExport } } },
    async (request, reply) => reply.code(201).send(await startExport(app, request.author, request.actor.userId)),
  )
  app.get('/exports/:id', { config: access, schema }, (request) => findExport(app, request.actor.userId, request.params.id))
  app.post('/exports/:id/stop', { config: access, schema }, (request) => stopExport(app, request.actor.userId, request.params.id))
  app.get('/exports/:id/file', { config: access, schema: { params: exportParams } }, async (request, reply) => {
    const { id } = request.params
    const { path, name, bytes } = await openExport(app, request.actor.userId, id)
    void reply
      .type('application/zip')
      .header('content-length', bytes)
      .header('content-disposition', `attachment; filename="${name}"`)
    if (request.method === 'HEAD') return reply.send()
    // A download that breaks off can be tried again.
    reply.raw.once('finish', () => {
      noteFetched(app, request.author, id).catch((error: unknown) => request.log.error({ err: error }, 'an export was fetched'))
    })
    return reply.send(createReadStream(path))
  })
}

export const exportsServer = serverFeature(exportsFeature, {
  api: { '/api/exports': exportRoutes },
  importers: [guichetImporter],
  personalColumns: [
    {
      whose: ['staff'],
      columns: [dataExports.userId],
      purpose: 'Give the archive to nobody but the person who asked for it.',
      seenBy: ['own'],
    },
    {
      whose: ['anybody'],
      columns: [importedRows.rowKey],
      purpose: 'Undo an imported export: keys of its rows, some of which are addresses.',
      seenBy: [],
    },
    {
      whose: ['anybody'],
      columns: [importedRows.mark],
      purpose: 'Know which rows of an imported export were edited since.',
      seenBy: [],
      protection: 'hash',
    },
  ],
  impersonalColumns: [{ columns: [importedRows.tableName], reason: 'names of tables' }],
  tableEnds: [
    {
      tables: [dataExports],
      label: { fr: 'Exportations', en: 'Exports' },
      days: 1,
      purge: (app, before, limit) => endExports(app, before, limit),
    },
    {
      tables: [importedRows],
      label: { fr: 'Fiches venues d’une exportation', en: 'Entries that came from an export' },
      // A day more than the import can be undone.
      days: 31,
      purge: purgeImportedRows,
    },
  ],
})
