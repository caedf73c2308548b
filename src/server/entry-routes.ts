import type { FastifyInstance, preHandlerAsyncHookHandler } from 'fastify'
import { z } from 'zod'
import { idParam } from '#src/lib/schemas.ts'
import type { Database } from './database.ts'
import type { Entries } from './entries.ts'
import type { App } from './types.ts'

type Options<Entity extends object, Input> = {
  entries: Entries<Entity, Input>
  input: z.ZodType<Input>
  output: z.ZodType<Entity>
  canWrite: preHandlerAsyncHookHandler
  /** Work on a save that must not hold its transaction, such as storing a picture. */
  prepare?: (db: Database, input: Input) => Promise<Input>
  /** Bytes; where the bodies are larger than the server's ordinary limit. */
  bodyLimit?: number
}

type WithId = { Params: { id: number } }

const params = z.strictObject({ id: idParam })

/** The routes of one kind of content but its list: everybody reads, `canWrite` guards the rest (contract.md 3). */
export function registerEntryRoutes<Entity extends object, Input>(typed: App, options: Options<Entity, Input>) {
  const { entries, input, output, canWrite: preHandler, prepare, bodyLimit } = options
  // Fastify infers nothing from a schema that is a type parameter: the bodies are typed by hand here.
  const app = typed as unknown as FastifyInstance
  const { db, events } = typed
  const context = { db, events }
  const inputOf = async (body: unknown) => (prepare ? prepare(db, body as Input) : (body as Input))

  app.get<WithId>('/:id', { schema: { params, response: { 200: output } } }, (request) => entries.find(db, request.params.id))
  app.post<{ Body: Input }>('/', { preHandler, bodyLimit, schema: { body: input, response: { 201: output } } }, async (request, reply) =>
    reply.code(201).send(await entries.create(context, request.author, await inputOf(request.body))),
  )
  app.put<WithId & { Body: Input }>('/:id', { preHandler, bodyLimit, schema: { params, body: input, response: { 200: output } } }, async (request) =>
    entries.update(context, request.author, request.params.id, await inputOf(request.body)),
  )
  app.delete<WithId>('/:id', { preHandler, schema: { params, response: { 204: z.null() } } }, async (request, reply) => {
    await entries.remove(context, request.author, request.params.id)
    return reply.code(204).send(null)
  })
}
