import { readdir } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { commandAuthor, sendCommand } from '#src/server/http/command-key.ts'
import type { Config } from '#src/server/config.ts'
import { ownAddress } from '#src/server/config.ts'
import { openDatabase } from '#src/server/database/database.ts'
import { FolderInUse } from '#src/server/database/folder-lock.ts'
import { prepareDatabase } from '#src/server/secrets/bind-secret.ts'
import type { ImportOutcome } from '../contract.ts'
import { importOutcome } from '../contract.ts'
import { importFolder } from './import-folder.ts'
import { incomingFolder, openStorage } from './storage.ts'

export const importCommand = 'recordings:import'

/** A mistake of the caller of the command; the message is printed without a stack trace. */
export class ImportFailed extends Error {}

/** Imports a folder: by itself, or through the running product where that one holds the embedded database. */
export async function* runImport(config: Config, folder: string): AsyncGenerator<ImportOutcome> {
  await readdir(folder).catch(() => {
    throw new ImportFailed(`${folder} is no folder that can be read.`)
  })
  let database
  try {
    database = await openDatabase(config)
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    yield* askRunning(config, folder)
    return
  }
  try {
    await prepareDatabase(database.db, config)
    const context = { db: database.db, storage: openStorage(config), workFolder: incomingFolder(config) }
    yield* importFolder({ ...context, author: commandAuthor(importCommand) }, folder)
  } finally {
    await database.close()
  }
}

async function* askRunning(config: Config, folder: string): AsyncGenerator<ImportOutcome> {
  const address = ownAddress(config)
  const signed = { method: 'POST', path: '/api/recordings/import', body: { folder } } as const
  const response = await sendCommand(config, importCommand, signed).catch(() => {
    throw new ImportFailed(`The server is running, but not at ${address}. Run the command with the same HOST and PORT.`)
  })
  if (!response.ok || !response.body) {
    const { detail } = (await response.json().catch(() => ({}))) as { detail?: string }
    throw new ImportFailed(`The product at ${address} answered ${response.status}${detail ? `: ${detail}` : ''}`)
  }
  const lines = createInterface({ input: Readable.fromWeb(response.body as ReadableStream) })
  for await (const line of lines) yield importOutcome.parse(JSON.parse(line))
}
