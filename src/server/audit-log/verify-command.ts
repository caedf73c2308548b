import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import { sql } from 'drizzle-orm'
import type { ReadEntry } from 'tar'
import { Parser } from 'tar'
import { z } from 'zod'
import { readArchiveFile } from '../backup/check-archive.ts'
import type { Progress } from '../backup/dump.ts'
import type { Identity } from '../backup/encryption.ts'
import { NotDecrypted, readIdentity } from '../backup/encryption.ts'
import type { RunCommand } from '../command-line/command.ts'
import { FolderInUse } from '../database/folder-lock.ts'
import { LocalizedError } from '../localized-error.ts'
import type { LocalizedText } from '#src/lib/form-result.ts'
import type { Config } from '../config.ts'
import { ConfigError } from '../config.ts'
import { openDatabase } from '../database/database.ts'
import { bindKeys, fingerprintOf } from '../secrets/keys.ts'
import { findSeals } from './chain.ts'
import { verifyFormerJournals } from './former-journals.ts'
import { readPublished } from './published.ts'
import type { KnownHash, Verification } from './verify.ts'
import { findVerifiedEntry, storeVerifiedEntry, verifyAuditLog } from './verify.ts'

const lastRow = z.object({ id: z.int(), hash: z.string(), at: z.string() })

type Outcome = { isIntact: boolean; message: LocalizedText; events: number; last_hash: string | null; broken_at: number | null }

export const run: RunCommand = async ({ readConfig, arguments: [word], options, progress, resolvePath }) => {
  const given = word === undefined || isHash(word) ? word : resolvePath(word)
  const isContinued = options['continue'] === true
  const identityFile = typeof options['identity'] === 'string' ? resolvePath(options['identity']) : undefined
  const verified = verifyByCommand(readConfig(), given, { isContinued, identityFile, onProgress: progress('events') })
  const { isIntact, message, ...found } = await verified.catch((error: unknown) => {
    // Exit code 1 means that the log was altered.
    if (error instanceof FolderInUse) {
      throw new LocalizedError(
        {
          fr: `${error.texts.fr}\nPendant que le serveur est en marche, vérifiez le journal d’audit à /admin/journal.`,
          en: `${error.texts.en}\nWhile the server runs, verify the log at /admin/journal.`,
        },
        'unreachable',
      )
    }
    if (error instanceof LocalizedError && error.reason === 'refused') throw new LocalizedError(error.texts, 'unreachable')
    throw error
  })
  return { text: message, json: { is_intact: isIntact, ...found }, exitCode: isIntact ? 0 : 1 }
}

/** Verifies the audit log against hashes stored outside the database, and against a given hash or backup. */
export async function verifyByCommand(
  config: Config,
  given: string | undefined,
  {
    isContinued = false,
    identityFile,
    onProgress = () => undefined,
  }: { isContinued?: boolean; identityFile?: string | undefined; onProgress?: Progress } = {},
): Promise<Outcome> {
  // Opening a missing embedded database would create one.
  if (!config.databaseUrl && !existsSync(join(config.dataDir, 'database'))) {
    throw new ConfigError({
      fr: `Il n’y a pas de base de données dans ${config.dataDir}.`,
      en: `There is no database in ${config.dataDir}.`,
    })
  }
  const knownHash = given === undefined ? null : await readKnownHash(given, identityFile)
  const published = readPublished(config.dataDir)
  const database = await openDatabase(config)
  try {
    const keys = bindKeys(database.db, config.secret)
    const found = await database.db.transaction(
      async (tx) => {
        await tx.execute(sql`set transaction read only`)
        const { rows } = (await tx.execute(sql`select to_regclass('public.former_journals') as found`)) as {
          rows: { found: string | null }[]
        }
        if (!rows[0]?.found)
          throw new ConfigError({
            fr: 'Cette base est d’une version antérieure : démarrez le serveur une fois, puis vérifiez.',
            en: 'This database is of an earlier version: start the server once, then verify.',
          })
        const seal = (await findSeals(tx)).at(-1)
        if (seal && seal.keyId !== fingerprintOf(keys)) {
          throw new ConfigError({
            fr: 'SESSION_SECRET n’est pas le secret de cette base : la chaîne ne peut être vérifiée qu’avec lui.',
            en: 'SESSION_SECRET is not the secret of this database: the chain can only be checked with it.',
          })
        }
        // A given hash may be of an entry that would not be read again.
        const from = isContinued && !knownHash ? await findVerifiedEntry(tx, config.dataDir) : null
        const known = [...published, ...(knownHash ? [knownHash] : [])]
        const result = await verifyAuditLog(tx, known, undefined, { from, onProgress })
        const former = result.brokenAt === null ? await verifyFormerJournals(tx) : []
        return { ...result, linesBefore: from?.lines ?? 0, former }
      },
      { isolationLevel: 'repeatable read' },
    )
    const changed = found.former.find(({ isIntact }) => !isIntact)
    const isIntact = found.brokenAt === null && !changed
    if (isIntact && found.lines > 0) await storeVerifiedEntry(database.db, config.dataDir, found)
    return {
      isIntact,
      message: changed ? describeFormer(changed.id) : describe(found, knownHash),
      events: found.lines,
      last_hash: found.lastHash,
      broken_at: found.brokenAt,
    }
  } finally {
    await database.close()
  }
}

const describeFormer = (id: number) => ({
  fr: `Journal d’audit modifié : l’ancien journal d’audit ${id}, venu avec une exportation, n’est plus tel qu’il a été fermé.`,
  en: `Audit log altered: the former log ${id}, which came with an export, is not as it was closed.`,
})

type Found = Verification & { linesBefore: number }

function describe(
  { lines, linesBefore, lastHash, brokenAt, reason, missing, met }: Found,
  knownHash: KnownHash | null,
): LocalizedText {
  if (reason === 'changed') {
    return {
      fr: `Journal d’audit modifié : l’événement ${brokenAt} n’est pas tel qu’il a été consigné; les ${lines} événements qui le précèdent sont intacts.`,
      en: `Audit log altered: event ${brokenAt} is not as it was recorded; the ${lines} events before it are intact.`,
    }
  }
  if (reason === 'sealed') {
    return {
      fr: `Journal d’audit modifié : un événement jusqu’au numéro ${brokenAt} n’est pas tel qu’il était quand le journal d’audit a été scellé.`,
      en: `Audit log altered: an event up to number ${brokenAt} is not as it was when the log was sealed.`,
    }
  }
  if (reason === 'unsealed') {
    return {
      fr: 'Journal d’audit modifié : son sceau a été changé ou retiré.',
      en: 'Audit log altered: its seal was changed or removed.',
    }
  }
  if (reason === 'missing') {
    const { line, at, hash } = missing ?? {}
    return {
      fr: `Journal d’audit modifié : ${line ? `l’événement ${line}` : 'l’événement'} dont l’empreinte est conservée ailleurs${at ? ` depuis le ${at}` : ''} n’y est pas (${hash}).`,
      en: `Audit log altered: ${line ? `event ${line}` : 'the event'} whose hash was kept elsewhere${at ? ` on ${at}` : ''} is not in it (${hash}).`,
    }
  }
  const place = knownHash && met.get(knownHash.hash)
  const later = place && lines - place.lines
  return {
    fr: `Journal d’audit vérifié : ${lines} événements${linesBefore > 0 ? `, dont les ${linesBefore} premiers une autre fois` : ''}, aucune modification. Dernière empreinte : ${lastHash}${place ? ` L’empreinte donnée est celle de l’événement ${place.line}; ${later} l’ont suivi.` : ''}`,
    en: `Audit log verified: ${lines} events${linesBefore > 0 ? `, the first ${linesBefore} of them at another time` : ''}, no alterations. Last hash: ${lastHash}${place ? ` The hash given is that of event ${place.line}; ${later} came after it.` : ''}`,
  }
}

async function readKnownHash(given: string, identityFile: string | undefined): Promise<KnownHash> {
  if (isHash(given)) return { hash: given.toLowerCase() }
  if (!existsSync(given))
    throw new ConfigError(
      {
        fr: `${given} n’est ni une empreinte de 64 chiffres ni un fichier.`,
        en: `${given} is neither a hash of 64 digits nor a file.`,
      },
      'usage',
    )
  return readBackupHash(given, identityFile === undefined ? null : await readIdentity(identityFile))
}

const isHash = (word: string) => /^[\da-f]{64}$/i.test(word)

const notABackup = (file: string) =>
  new ConfigError(
    { fr: `${file} n’est pas une copie de sécurité de ce produit.`, en: `${file} is not a Guichet backup.` },
    'usage',
  )

/** The last entry of the audit log in a backup; the backup is not extracted. */
async function readBackupHash(file: string, identity: Identity | null): Promise<KnownHash> {
  const decoder = new StringDecoder('utf8')
  let [isBackup, lastJson, rest] = [false, '', '']
  const addPart = (part: Buffer) => {
    const lines = (rest + decoder.write(part)).split('\n')
    rest = lines.pop() ?? ''
    lastJson = lines.at(-1) ?? lastJson
  }
  const onReadEntry = (entry: ReadEntry) => {
    // The parser waits until each entry was read.
    if (entry.path !== 'dump/tables/journal.ndjson') entry.resume()
    else {
      isBackup = true
      entry.on('data', addPart)
    }
  }
  const parser = new Parser({ strict: true, onReadEntry })
  const done = new Promise<void>((resolve, reject) => parser.on('end', resolve).on('error', reject))
  const read = pipeline(readArchiveFile(file, identity), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) if (!parser.write(chunk)) await once(parser, 'drain')
    parser.end()
  })
  await Promise.all([read, done]).catch((error: unknown) => {
    throw error instanceof NotDecrypted ? new ConfigError(error.texts, 'usage') : notABackup(file)
  })
  if (!isBackup) throw notABackup(file)
  if (lastJson === '')
    throw new ConfigError({ fr: `Le journal d’audit de ${file} est vide.`, en: `The audit log in ${file} is empty.` }, 'usage')
  const { id, hash, at } = lastRow.parse(JSON.parse(lastJson))
  return { line: id, hash, at }
}
