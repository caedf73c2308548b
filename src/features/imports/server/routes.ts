import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { and, asc, eq, gt } from 'drizzle-orm'
import { z } from 'zod'
import { requireRight } from '#src/features/people/sign-in/server/route-access.ts'
import { hasRight } from '#src/lib/rights.ts'
import { csvLine } from '#src/lib/text/escape.ts'
import { Forbidden, Invalid, NotFound, Problem } from '#src/server/problems.ts'
import { formParts } from '#src/server/uploads/form-parts.ts'
import type { App, Routes } from '#src/server/types.ts'
import {
  importChange,
  importDetail,
  importFolders,
  importForm,
  importKind,
  importParams,
  importQuery,
  importResult,
  kindParams,
} from '../contract.ts'
import { fileMaxBytes } from '../values.ts'
import { importCommandRoutes } from './command-routes.ts'
import { examineFile } from './read-table.ts'
import { claimImports, removeWaiting, startImport, stopImport, undoImport } from './run.ts'
import {
  areasOf,
  changeImport,
  choicesOf,
  findImport,
  findImporter,
  findImports,
  findKinds,
  findSource,
  importFolder,
  mailboxOf,
  mayImportAny,
  prepareImport,
  toDetail,
  toResult,
} from './service.ts'
import { importRefusals } from './table.ts'

const uploads = { points: 60, seconds: 600 }
/** Each is a connection to the mail server. */
const folderLists = { points: 30, seconds: 60 }
const signedIn = { access: 'signed-in' } as const

/** `/api/imports`: each import needs the areas that it writes in, which its kind decides. */
export const importRoutes: Routes = async (app) => {
  const { db } = app
  await app.register(multipart, { limits: { fileSize: fileMaxBytes, files: 1, fields: 10, fieldSize: 250_000 } })
  app.queue.recur({ most: 1, take: (_count, stopping) => claimImports(app, stopping) })

  await app.register(importCommandRoutes)

  app.get('/kinds', { config: { access: 'company read_only' }, schema: { response: { 200: z.array(importKind) } } }, (request) =>
    findKinds(app, request.actor.rights),
  )
  const folders = { params: kindParams, response: { 200: importFolders } }
  app.get('/kinds/:kind/folders', { config: signedIn, schema: folders }, async (request) => {
    requireImporter(app, request)
    const { kind } = request.params
    requireAreas(app, request, { kind, map: {} })
    const mailbox = mailboxOf(findImporter(app, kind))
    if (!mailbox?.isSet(app.config)) throw new NotFound('There is no mailbox for this kind of import.')
    await app.limits.take('import-folders', String(request.actor.userId), folderLists)
    return mailbox.findFolders(app.config)
  })
  app.get(
    '/imports',
    { config: { access: 'company read_only' }, schema: { querystring: importQuery, response: { 200: z.array(importResult) } } },
    async (request, reply) => {
      const { rows, total } = await findImports(app, request.query.page)
      return reply.header('x-total-count', total).send(rows)
    },
  )
  app.post(
    '/imports',
    { config: { ...signedIn, upload: true }, schema: { response: { 201: importDetail } } },
    async (request, reply) => {
      requireUploader(request)
      await app.limits.take('import-upload', String(request.actor.userId), uploads)
      const id = await receiveImport(app, request)
      return reply.code(201).send(await toDetail(app, await findImport(db, id), request.actor.rights))
    },
  )

  const one = { params: importParams }
  const detail = { ...one, response: { 200: importDetail } }
  app.get('/imports/:id', { config: signedIn, schema: detail }, async (request) => {
    requireImporter(app, request)
    const row = await findImport(db, request.params.id)
    if (!hasRight(request.actor.rights, 'company', 'read_only')) requireAreas(app, request, row)
    return toDetail(app, row, request.actor.rights)
  })
  app.put('/imports/:id', { config: signedIn, schema: { ...detail, body: importChange } }, async (request) => {
    requireImporter(app, request)
    const row = await findImport(db, request.params.id)
    requireAreas(app, request, { ...row, map: { ...row.map, ...request.body.map } })
    await changeImport(app, row, request.body.map)
    return toDetail(app, await findImport(db, row.id), request.actor.rights)
  })
  app.delete('/imports/:id', { config: signedIn, schema: { ...one, response: { 204: z.null() } } }, async (request, reply) => {
    requireImporter(app, request)
    const row = await findImport(db, request.params.id)
    requireAreas(app, request, row)
    await removeWaiting(app, row)
    return reply.code(204).send(null)
  })
  app.post(
    '/imports/:id/run',
    { config: signedIn, schema: { ...one, response: { 202: importResult } } },
    async (request, reply) => {
      requireImporter(app, request)
      const row = await findImport(db, request.params.id)
      requireAreas(app, request, row)
      await startImport(app, request.author, row)
      return reply.code(202).send(await toResult(app, await findImport(db, row.id)))
    },
  )
  app.post('/imports/:id/stop', { config: signedIn, schema: { ...one, response: { 200: importResult } } }, async (request) => {
    requireImporter(app, request)
    const row = await findImport(db, request.params.id)
    requireAreas(app, request, row)
    await stopImport(app, row.id)
    return toResult(app, await findImport(db, row.id))
  })
  app.post('/imports/:id/undo', { config: signedIn, schema: { ...one, response: { 200: importResult } } }, async (request) => {
    requireImporter(app, request)
    const row = await findImport(db, request.params.id)
    requireAreas(app, request, row)
    await undoImport(app, request.author, row)
    return toResult(app, await findImport(db, row.id))
  })
  app.get('/imports/:id/refused.csv', { config: signedIn, schema: one }, async (request, reply) => {
    requireImporter(app, request)
    const row = await findImport(db, request.params.id)
    requireAreas(app, request, row)
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="import-${row.id}-refused.csv"`)
      .send(Readable.from(refusedLines(app, row.id)))
  })
}

/** Who may import nothing at all learns nothing of imports. */
function requireImporter(app: App, { actor }: FastifyRequest) {
  // Refuses who has to set up a second factor first.
  requireRight(actor, 'company', 'none')
  const may = hasRight(actor.rights, 'company', 'read_only') || mayImportAny(app, actor.rights)
  if (!may) throw new Forbidden()
}

/** Before the file is taken: which areas it needs is known at its end only. */
export function requireUploader(request: FastifyRequest) {
  requireImporter(request.server, request)
  if (!mayImportAny(request.server, request.actor.rights)) throw new Forbidden()
}

function requireAreas(app: App, { actor }: FastifyRequest, { kind, map }: { kind: string; map: Record<string, string> }) {
  for (const area of areasOf(app, findImporter(app, kind), map)) requireRight(actor, area, 'administrator')
}

/** Stores the file of a form and tries it out; a file that cannot be used is removed. */
async function receiveImport(app: App, request: FastifyRequest) {
  if (!/^multipart\/form-data;.*\bboundary=./i.test(request.headers['content-type'] ?? ''))
    throw new Problem(415, 'Wrong type', 'An import is sent as multipart/form-data.')
  await mkdir(importFolder(app), { recursive: true })
  const path = join(importFolder(app), `${randomUUID()}.upload`)
  try {
    const { file, fields } = await receive(request, path)
    const form = importForm.safeParse(fields)
    if (!form.success) {
      const errors = form.error.issues.map(({ path: at, message }) => ({ path: at.join('.'), message }))
      throw new Invalid('Some values are not valid.', errors)
    }
    const { kind, source, folder } = form.data
    const map = choicesOf(form.data)
    requireAreas(app, request, { kind, map: map ?? {} })
    const given = await examineGiven(app, { kind, file, path, folder })
    const named = source?.trim() || (await findSource(findImporter(app, kind), given))
    const { sha256, ...examined } = given
    const chosen = { kind, map, source: named ?? sha256, ...examined }
    return await prepareImport(app, request.author, request.actor.rights, chosen)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

/** The file that was sent, or the folder of the mailbox that was named in its place. */
async function examineGiven(app: App, given: { kind: string; file: string | null; path: string; folder: string | undefined }) {
  const { kind, file, path, folder } = given
  if (folder === undefined) {
    if (file === null) throw new Invalid('There is no file in this request.', [{ path: 'file', message: 'required' }])
    return { file, path, ownsFile: true, ...(await examineFile(path)) }
  }
  if (file !== null || !mailboxOf(findImporter(app, kind))?.isSet(app.config))
    throw new Invalid('A folder is read from the mailbox of IMAP_URL, in place of a file.', [
      { path: 'folder', message: 'not possible here' },
    ])
  const name = `imap:${folder}`
  return { file: name, path: name, ownsFile: false, sha256: name, charset: 'utf-8' }
}

async function receive(request: FastifyRequest, path: string) {
  const fields: Record<string, string> = {}
  let file: string | null = null
  try {
    for await (const part of formParts(request, 'imports')) {
      if (part.type === 'field') fields[part.fieldname] = part.value
      else if (part.fieldname !== 'file' || file !== null) throw new Invalid('One file at a time, in the field “file”.')
      else {
        file = cleanName(part.filename)
        await pipeline(part.file, createWriteStream(path))
        if (part.file.truncated) throw new Problem(413, 'Too large', 'This file is too large.')
      }
    }
  } catch (error) {
    const isOurs = error instanceof Problem || (error instanceof Error && ('errno' in error || 'statusCode' in error))
    throw isOurs ? error : new Invalid('The request is incomplete or malformed.')
  }
  return { file, fields }
}

/** For display only: the file is stored under a name of our own. */
const cleanName = (name: string) =>
  (name.split(/[/\\]/).at(-1) ?? '').replaceAll(/\p{C}/gu, '').toWellFormed().slice(0, 200) || 'import'

const pageSize = 500

async function* refusedLines(app: App, importId: number) {
  yield `\uFEFF${csvLine(['at', 'name', 'reason', 'raison'])}`
  let last = 0
  for (;;) {
    const rows = await app.db
      .select()
      .from(importRefusals)
      .where(and(eq(importRefusals.importId, importId), gt(importRefusals.id, last)))
      .orderBy(asc(importRefusals.id))
      .limit(pageSize)
    if (rows.length === 0) return
    last = rows.at(-1)?.id ?? last
    yield rows.map(({ at, name, reason }) => csvLine([at, name, reason.en, reason.fr])).join('')
  }
}
