import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Access } from '#src/server/types.ts'
import { idParam } from '#src/lib/schemas.ts'
import type { Database } from '#src/server/database/database.ts'
import type { Content } from './content.ts'
import type { App } from '#src/server/types.ts'

type Options<Entity extends object, Input> = {
  content: Content<Entity, Input>
  output: z.ZodType<Entity>
  /** Access required to change entries, and to read one. */
  access: { read: Access; write: Access }
  /** Throws when the caller may not read this entry. */
  checkReader?: (request: FastifyRequest, entity: Entity) => Promise<void>
  /** Work before a save that must not run inside its transaction, such as storing a picture; `id` of an entry that exists. */
  prepare?: (db: Database, input: Input, id?: number) => Promise<Input>
  /** Maximum body size in bytes, where it is above that of texts. */
  bodyLimit?: number
  /** True where entries are neither created nor deleted. */
  isFixed?: true
  /** True where entries contain files. */
  upload?: true
}

/** Two texts of 50,000 characters, all of three bytes. */
const textsLimit = 400_000

type WithId = { Params: { id: number } }

const params = z.strictObject({ id: idParam })
const lastChange = z.object({ at: z.string(), name: z.string() }).nullable()

/** Routes of one kind of content except its list: one entry for readers; create, update, delete and its undo for writers. */
export function registerContentRoutes<Entity extends object, Input>(typed: App, options: Options<Entity, Input>) {
  const { content, output, access, checkReader, prepare, bodyLimit = textsLimit, upload, isFixed } = options
  // Fastify cannot infer body types from a generic schema.
  const app = typed as unknown as FastifyInstance
  const { db, events } = typed
  const { input } = content
  const config = { access: access.write, ...(upload ? { upload } : {}) }
  const context = { db, events }
  const inputOf = async (body: unknown, id?: number) => (prepare ? prepare(db, body as Input, id) : (body as Input))

  app.get<WithId>('/:id', { config: { access: access.read }, schema: { params, response: { 200: output } } }, async (request) => {
    const entity = await content.find(db, request.params.id)
    await checkReader?.(request, entity)
    return entity
  })
  app.get<WithId>('/:id/last_change', { config, schema: { params, response: { 200: lastChange } } }, async (request) => {
    const found = await content.findLastChange(db, request.params.id)
    return found && { ...found, at: found.at.toISOString() }
  })
  app.put<WithId & { Body: Input }>(
    '/:id',
    { config, bodyLimit, schema: { params, body: input, response: { 200: output } } },
    async (request) => content.update(context, request.author, request.params.id, await inputOf(request.body, request.params.id)),
  )
  if (isFixed) return
  app.post<{ Body: Input }>(
    '/',
    { config, bodyLimit, schema: { body: input, response: { 201: output } } },
    async (request, reply) => reply.code(201).send(await content.create(context, request.author, await inputOf(request.body))),
  )
  app.delete<WithId>('/:id', { config, schema: { params, response: { 204: z.null() } } }, async (request, reply) => {
    await content.remove(context, request.author, request.params.id)
    return reply.code(204).send(null)
  })
  app.post<WithId>('/:id/undo', { config, schema: { params, response: { 200: output } } }, async (request) =>
    content.restore(context, request.author, await content.findDeleted(db, request.author, request.params.id)),
  )
}
