import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { App, Routes } from '#src/server/types.ts'
import { idParams } from '../../console-contract.ts'
import { attachedFileInput, attachedMessage, attachInput } from '../../contract.ts'
import { attachedFileMax } from '../../values.ts'
import { moveToContinuation } from './continuation.ts'
import { attachFile, fileHeaders, findFile, findVisitorFile } from './files.ts'
import { known } from '../known.ts'
import type { StaffNamespace, VisitorNamespace } from '../namespaces.ts'
import { chatRoom } from '../namespaces.ts'
import type { WaitingLine } from '../visitor/waiting-line.ts'
import { toStaffMessage, toVisitorMessage } from '../service.ts'
import type { StaffNews } from '../staff/staff-news.ts'

const filesPerAddress = { points: 40, seconds: 600 }
const config = { access: 'public', protection: 'visitor' } as const
const readsPerAddress = { points: 300, seconds: 60 }
const bodyLimit = Math.ceil(attachedFileMax / 3) * 4 + 4_096

type Sides = { visitors: VisitorNamespace; staff: StaffNamespace; queue: WaitingLine; news: StaffNews }

/** What a visitor attaches and opens again. The key travels in the body, never in an address (contract.md 5). */
export function serveVisitorFiles(app: App, { visitors, staff, queue, news }: Sides) {
  const { db, limits } = app

  app.post(
    '/attach',
    {
      config: { ...config, upload: true },
      bodyLimit,
      schema: { body: attachInput, response: { 200: attachedMessage } },
      // Counted before ten megabytes are read.
      onRequest: (request) => limits.take('chat-attach', request.ip, filesPerAddress),
    },
    async (request) => {
      const { chat, message, isNew, continued } = await known(attachFile(db, request.body))
      if (continued?.isFirst) {
        moveToContinuation(visitors, staff, continued.from, chat)
        news.tell(continued.from.id)
      }
      const seen = toVisitorMessage(message, chat.key)
      if (isNew || !app.cluster.isAlone) {
        visitors.in(chatRoom(chat.id)).emit('chat:new-message', seen)
        staff.emit('staff:new-message', toStaffMessage(message))
        news.tell(chat.id)
        if (message.seq === 1) queue.tell(chat.id)
      }
      return { message: seen }
    },
  )

  app.post('/file', { config, schema: { body: attachedFileInput } }, async (request, reply) => {
    await limits.take('chat-file', request.ip, readsPerAddress)
    return sendFile(reply, await known(findVisitorFile(db, request.body.id_chat, request.body.id_file)))
  })
}

/** `/api/chat/files`: the same for staff. */
export const staffFileRoutes: Routes = async (app) => {
  const canRead = { config: { access: 'chat read_only' } } as const
  app.get('/:id', { ...canRead, schema: { params: idParams } }, async (request, reply) =>
    sendFile(reply, await findFile(app.db, request.params.id)),
  )
}

function sendFile(reply: FastifyReply, file: Awaited<ReturnType<typeof findFile>>) {
  return reply.headers(fileHeaders(file)).send(Readable.from(file.pieces, { objectMode: false }))
}
