import { Readable } from 'node:stream'
import { isUtf8 } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { and, asc, count, eq, exists, inArray, isNotNull, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { App, Routes } from '#src/server/types.ts'
import { readFileBytes } from '#src/server/uploads/form-parts.ts'
import type { Database } from '#src/server/database/database.ts'
import { redrawPicture } from '#src/features/content/server/pictures.ts'
import { Forbidden, NotFound, Problem } from '#src/server/problems.ts'
import { idParams, attachedFileInput, attachedMessage, attachInput, staffAttachedMessage, staffAttachInput } from '../contract.ts'
import type { ChatMessage } from '../protocol.ts'
import { attachedFileMax, attachedFilesPerChat } from '../values.ts'
import type { Technician } from './messages.ts'
import { appendStaffMessage, appendVisitorMessage, requireTechnician } from './messages.ts'
import { broadcastOf } from './broadcast.ts'
import { asHttpProblem } from './refusal.ts'
import { findPublicTechnician, toStaffMessage, toVisitorMessage, findChatByKey } from './service.ts'
import { requestFilePieces, requestFiles } from '../../requests/server/table.ts'
import { chatFilePieces, chatFiles } from './table.ts'
import { findChatSettings } from './settings.ts'

const filesPerAddress = { points: 40, seconds: 600 }
const config = { access: 'public', protection: 'visitor' } as const
const filesPerPerson = { points: 40, seconds: 600 }
const readsPerAddress = { points: 300, seconds: 60 }
const bodyLimit = Math.ceil(attachedFileMax / 3) * 4 + 4_096

/** Upload and download of a visitor's files. The key is in the body: addresses end up in logs. */
export function serveVisitorFiles(app: App) {
  const { db, limits } = app

  app.post(
    '/attach',
    {
      config: { ...config, upload: true },
      bodyLimit,
      schema: { body: attachInput, response: { 200: attachedMessage } },
      // Limited before ten megabytes are read.
      onRequest: (request) => limits.take('chat-attach', request.ip, filesPerAddress),
    },
    async (request) => {
      const { id_chat, data, ...attached } = request.body
      const bytes = Buffer.from(data, 'base64')
      const appended = await asHttpProblem(attachVisitorFile(db, id_chat, { ...attached, bytes }))
      broadcastOf(app).message(appended)
      return { message: toVisitorMessage(appended.message, appended.chat.key) }
    },
  )

  app.post('/file', { config, schema: { body: attachedFileInput } }, async (request, reply) => {
    await limits.take('chat-file', request.ip, readsPerAddress)
    return sendFile(reply, await asHttpProblem(findVisitorFile(db, request.body.id_chat, request.body.id_file)))
  })
}

/** `/api/chat/files`: the same for staff, in conversations that they answer. */
export const staffFileRoutes: Routes = async (app) => {
  app.post(
    '/',
    {
      config: { access: 'chat read_write', upload: true },
      bodyLimit,
      schema: { body: staffAttachInput, response: { 201: staffAttachedMessage } },
    },
    async (request, reply) => {
      const { id_chat: id, name, client_message_id } = request.body
      await app.limits.take('chat-attach-staff', String(request.actor.userId), filesPerPerson)
      const bytes = await readFileBytes(request, 'chat_files', request.body)
      const { userId, color } = request.actor
      const { user_name: displayName, image_url: imageUrl } = await findPublicTechnician(app, userId)
      const technician = { userId, displayName, imageUrl, color }
      const appended = await asHttpProblem(attachStaffFile(app.db, technician, id, { name, client_message_id, bytes }))
      broadcastOf(app).message(appended)
      return reply.code(201).send({ message: toStaffMessage(appended.message) })
    },
  )
  const canRead = { config: { access: 'chat read_only' } } as const
  app.get('/:id', { ...canRead, schema: { params: idParams } }, async (request, reply) =>
    sendFile(reply, await findFile(app.db, request.params.id)),
  )
}

function sendFile(reply: FastifyReply, file: Awaited<ReturnType<typeof findFile>>) {
  return reply.headers(fileHeaders(file)).send(Readable.from(file.pieces, { objectMode: false }))
}

type Attachment = Omit<z.infer<typeof attachInput>, 'id_chat' | 'data'> & { bytes: Buffer }
type Content = { bytes: Buffer; type: 'image/jpeg' | 'image/png' | 'application/pdf' | 'text/plain' }

const endings = { 'image/jpeg': 'jpg', 'image/png': 'png', 'application/pdf': 'pdf', 'text/plain': 'txt' } as const
const nameMax = 100
/** All but tab, line ends and escape, which logs of terminals hold. */
const binaryControls = Array.from({ length: 32 }, (_, code) => code).filter((code) => ![9, 10, 12, 13, 27].includes(code))

/** Stores a visitor's file as a message of the conversation; the same `client_message_id` again stores nothing. */
async function attachVisitorFile(db: Database, key: string, attached: Attachment) {
  const { attachments_enabled: isEnabled } = await findChatSettings(db)
  if (!isEnabled) throw new Forbidden('Files cannot be attached here.')
  const { id } = await findChatByKey(db, key)
  return appendVisitorMessage(db, key, await readAttachment(db, id, attached))
}

/** The same of the technician who answers the conversation. */
async function attachStaffFile(db: Database, technician: Technician, id: number, attached: Attachment) {
  await requireTechnician(db, id, technician.userId)
  return appendStaffMessage(db, id, technician, await readAttachment(db, id, attached))
}

async function readAttachment(db: Database, chatId: number, { name: given, bytes: received, client_message_id }: Attachment) {
  const [held] = await db.select({ count: count() }).from(chatFiles).where(eq(chatFiles.chatId, chatId))
  if ((held?.count ?? 0) >= attachedFilesPerChat)
    throw new Problem(409, 'Too many files', 'This conversation has reached the limit of 20 files.')
  const { bytes, type } = await readContent(received)
  const name = cleanName(given, type)
  return { message: name, client_message_id, file: { name, type, bytes } }
}

/** A file of one conversation; not found with the id of another's file. */
async function findVisitorFile(db: Database, key: string, id: number) {
  const chat = await findChatByKey(db, key)
  return findFile(db, id, chat.id)
}

export async function findFile(db: Database, id: number, chatId?: number) {
  const isOfChat = chatId === undefined ? undefined : eq(chatFiles.chatId, chatId)
  const [row] = await db
    .select({ name: chatFiles.name, type: chatFiles.type, size: chatFiles.size })
    .from(chatFiles)
    .where(and(eq(chatFiles.id, id), isOfChat))
  if (!row) throw new NotFound('There is no such file.')
  return { ...row, pieces: readPieces(db, id) }
}

async function* readPieces(db: Database, id: number) {
  const positions = await db
    .select({ position: chatFilePieces.position })
    .from(chatFilePieces)
    .where(eq(chatFilePieces.fileId, id))
    .orderBy(asc(chatFilePieces.position))
  for (const { position } of positions) {
    await setImmediate()
    const [piece] = await db
      .select({ bytes: chatFilePieces.bytes })
      .from(chatFilePieces)
      .where(and(eq(chatFilePieces.fileId, id), eq(chatFilePieces.position, position)))
    if (!piece) throw new Error(`file ${id} was deleted while it was being sent`)
    yield piece.bytes
  }
}

/** Gives the files of messages to the request of their conversation, in the caller's transaction; their bytes follow. */
export async function addFilesToRequest(tx: Database, messages: Pick<ChatMessage, 'id_message' | 'file'>[], entryId: number) {
  const messageIds = messages.flatMap(({ file, id_message: id }) => (file ? id : []))
  if (messageIds.length === 0) return
  const found = await tx
    .select({ chatFileId: chatFiles.id, name: chatFiles.name, type: chatFiles.type, size: chatFiles.size })
    .from(chatFiles)
    .where(inArray(chatFiles.messageId, messageIds))
    .orderBy(asc(chatFiles.id))
  if (found.length > 0) await tx.insert(requestFiles).values(found.map((file) => ({ ...file, entryId })))
}

/**
 * Copies the bytes of such files within the database, piece by piece: in one transaction they would hold up every other request
 * on the embedded database. What a server that died left is copied by the next one.
 */
export async function copyDueFiles({ db, log }: Pick<App, 'db' | 'log'>) {
  const due = await db.select().from(requestFiles).where(isNotNull(requestFiles.chatFileId)).orderBy(asc(requestFiles.id))
  for (const { id, chatFileId } of due) {
    if (chatFileId === null) continue
    const ofFile = eq(chatFilePieces.fileId, chatFileId)
    const pieces = await db.select({ position: chatFilePieces.position }).from(chatFilePieces).where(ofFile)
    for (const { position } of pieces) {
      await setImmediate()
      const piece = db
        .select({ fileId: sql`${id}::int`.as('file_id'), position: chatFilePieces.position, bytes: chatFilePieces.bytes })
        .from(chatFilePieces)
        // Not of a request that was deleted meanwhile.
        .where(
          and(
            ofFile,
            eq(chatFilePieces.position, position),
            exists(db.select().from(requestFiles).where(eq(requestFiles.id, id))),
          ),
        )
      await db.insert(requestFilePieces).select(piece).onConflictDoNothing()
    }
    const isThere = eq(requestFiles.id, id)
    if (pieces.length > 0) await db.update(requestFiles).set({ chatFileId: null }).where(isThere)
    else {
      await db.delete(requestFiles).where(isThere)
      log.warn({ file: id }, 'a conversation was deleted before its file was copied to the request')
    }
  }
}

/** Always a download under our file name, never shown as a page. */
function fileHeaders({ name, type, size }: { name: string; type: string; size: number }) {
  return {
    'content-type': type === 'text/plain' ? 'text/plain; charset=utf-8' : type,
    'content-length': size,
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    'cache-control': 'private, no-store',
  }
}

/** Detects the type by the first bytes. A PDF or a text is not parsed: it is only served as an attachment. */
async function readContent(bytes: Buffer): Promise<Content> {
  if (bytes.length > attachedFileMax) throw new Problem(413, 'Too large', 'The file is over 10 MB.')
  const picture = await redrawPicture(bytes)
  if (picture) return picture
  if (bytes.subarray(0, 5).toString('latin1') === '%PDF-') return { bytes, type: 'application/pdf' }
  if (isPlainText(bytes)) return { bytes, type: 'text/plain' }
  throw new Problem(415, 'Wrong type', 'Only pictures (jpg, png, webp, avif), PDF files and plain texts are accepted.')
}

/** UTF-8 without binary control characters, and not a page or a drawing. */
function isPlainText(bytes: Buffer) {
  if (bytes.length === 0 || !isUtf8(bytes)) return false
  if (binaryControls.some((code) => bytes.includes(code))) return false
  const text = bytes.toString('latin1')
  return !text
    .slice(text.startsWith('\xef\xbb\xbf') ? 3 : 0)
    .trimStart()
    .startsWith('<')
}

/** The visitor's file name with the extension of the real type: no path, no second extension, no bidi characters. */
function cleanName(name: string, type: Content['type']) {
  const [words = ''] = (name.split(/[/\\]/).at(-1) ?? '')
    .normalize('NFC')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}"*:<>?|%]/gu, '')
    .split('.')
  return `${words.trim().slice(0, nameMax) || 'fichier'}.${endings[type]}`
}
