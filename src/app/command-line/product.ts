import { Readable } from 'node:stream'
import { translateAll } from '#src/lib/form-result.ts'
import { buildApp } from '#src/app/app.ts'
import type { ProductConnection } from '#src/server/command-line/command.ts'
import type { Config } from '#src/server/config.ts'
import { ownAddress } from '#src/server/config.ts'
import { openDatabase } from '#src/server/database/database.ts'
import { FolderInUse } from '#src/server/database/folder-lock.ts'
import { sendCommand, signCommand } from '#src/server/http/command-key.ts'
import { LocalizedError } from '#src/server/localized-error.ts'
import { prepareDatabase } from '#src/server/secrets/bind-secret.ts'
import { commandLineTexts as texts } from './texts.ts'

/** The product that runs at HOST and PORT, else the same product in this process, on its database. */
export async function openProduct(config: Config, commandName: string): Promise<ProductConnection> {
  const address = ownAddress(config)
  const isRunning = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (isRunning) {
    return {
      isRunning,
      send: async (request) => {
        const response = await sendCommand(config, commandName, request)
        if (response.status !== 401) return response
        throw new LocalizedError(translateAll(texts, 'otherProduct', { address }))
      },
      close: () => Promise.resolve(),
    }
  }
  const database = await openDatabase(config).catch((error: unknown) => {
    if (!(error instanceof FolderInUse)) throw error
    throw new LocalizedError(translateAll(texts, 'notAtAddress', { address }), 'unreachable')
  })
  try {
    await prepareDatabase(database.db, config)
    const app = await buildApp(config, database, 'none')
    return {
      isRunning,
      async send({ method, path, body }) {
        const payload = body === undefined ? undefined : JSON.stringify(body)
        const signed = { method, path, ...(payload !== undefined && { body: payload }) }
        const response = await app.inject({
          method,
          url: path,
          headers: {
            authorization: signCommand(config.secret, commandName, signed),
            ...(payload !== undefined && { 'content-type': 'application/json' }),
          },
          ...(payload !== undefined && { payload }),
          payloadAsStream: true,
        })
        const isEmpty = response.statusCode === 204
        return new Response(isEmpty ? null : (Readable.toWeb(response.stream()) as ReadableStream), {
          status: response.statusCode,
        })
      },
      async close() {
        await app.close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}
