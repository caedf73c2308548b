import { existsSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { ReadableStream } from 'node:stream/web'
import type { Config } from '../config.ts'
import { ConfigError } from '../config.ts'
import { LocalizedError } from '../localized-error.ts'

/** The library takes 50 ms to load, so it is loaded only where backups are encrypted. */
const loadAge = () => import('age-encryption')

const header = 'age-encryption.org/v1\n'

/** The private keys of one file, as `age-keygen` writes it. */
export type Identity = { file: string; keys: string[] }

/** An encrypted archive that cannot be read; the message is for the user. */
export class NotDecrypted extends LocalizedError {}

/** Throws `ConfigError`, which names the key of BACKUP_RECIPIENT that is none: what it encrypts nobody could read. */
export async function requireRecipients({ backupRecipients }: Pick<Config, 'backupRecipients'>) {
  if (backupRecipients.length === 0) return
  const { Encrypter } = await loadAge()
  for (const key of backupRecipients) {
    try {
      new Encrypter().addRecipient(key)
    } catch {
      throw new ConfigError({
        fr: `BACKUP_RECIPIENT n’est pas valide : ${key} n’est pas une clé publique age entière. Copiez-la de nouveau du fichier de age-keygen.`,
        en: `BACKUP_RECIPIENT is not valid: ${key} is not a whole age public key. Copy it again from the file of age-keygen.`,
      })
    }
  }
}

/** A stage of a pipeline; without recipients the data pass as they are. */
export const encryptTo = (recipients: readonly string[]) =>
  async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    if (recipients.length === 0) return yield* source
    const { Encrypter } = await loadAge()
    const encrypter = new Encrypter()
    for (const recipient of recipients) encrypter.addRecipient(recipient)
    yield* await encrypter.encrypt(asWebStream(source))
  }

/** The counterpart of `encryptTo`; throws `NotDecrypted`. */
export async function* decryptWith(source: AsyncIterable<Uint8Array>, identity: Identity | null): AsyncGenerator<Uint8Array> {
  if (!identity)
    throw new NotDecrypted({
      fr: 'Cette copie de sécurité est chiffrée : donnez la clé privée avec --identity FICHIER. Sans elle, personne ne peut la lire, pas même ce produit.',
      en: 'This backup is encrypted: give the private key with --identity FILE. Without it nobody can read the backup, not even this product.',
    })
  const { Decrypter, identityToRecipient } = await loadAge()
  const decrypter = new Decrypter()
  for (const key of identity.keys) decrypter.addIdentity(key)
  let plain: AsyncIterable<Uint8Array>
  try {
    plain = await decrypter.decrypt(asWebStream(source))
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('no identity matched')) throw damaged(error)
    const recipients = (await Promise.all(identity.keys.map((key) => identityToRecipient(key)))).join(', ')
    throw new NotDecrypted({
      fr: `La clé de ${identity.file} (${recipients}) n’ouvre pas cette copie de sécurité : elle a été chiffrée pour une autre clé. Si celle-là est perdue, personne ne peut la lire.`,
      en: `The key of ${identity.file} (${recipients}) does not open this backup, which was encrypted for another key. If that one is lost, nobody can read the backup.`,
    })
  }
  try {
    yield* plain
  } catch (error) {
    throw damaged(error)
  }
}

const damaged = (cause: unknown) =>
  new NotDecrypted(
    {
      fr: 'Cette archive est endommagée ou incomplète : elle ne peut pas être déchiffrée jusqu’au bout.',
      en: 'This archive is damaged or incomplete: it cannot be decrypted to its end.',
    },
    'refused',
    { cause },
  )

/** Pulled, so that memory stays flat. */
function asWebStream(source: AsyncIterable<Uint8Array>) {
  return ReadableStream.from(source) as globalThis.ReadableStream<Uint8Array>
}

export async function isEncrypted(path: string) {
  const head = Buffer.alloc(header.length)
  const file = await open(path)
  await file.read(head, 0, head.length, 0).finally(() => file.close())
  return head.toString('latin1') === header
}

/** Reads a file of `age-keygen`; throws one sentence that names the file and shows no key. */
export async function readIdentity(file: string): Promise<Identity> {
  const refuse = (fr: string, en: string) => new LocalizedError({ fr: `${file} ${fr}`, en: `${file} ${en}` }, 'usage')
  if (!existsSync(file))
    throw refuse('n’existe pas : donnez le fichier de la clé privée.', 'does not exist: give the file of the private key.')
  const text = await readFile(file, 'utf8')
  if (text.startsWith(header) || text.startsWith('-----BEGIN AGE'))
    throw refuse(
      'est protégé par une phrase de passe : déchiffrez-le d’abord (age --decrypt), puis donnez le résultat.',
      'is protected by a passphrase: decrypt it first (age --decrypt), then give the result.',
    )
  const keys = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  if (keys.some((key) => key.startsWith('age1')))
    throw refuse(
      'contient une clé publique, qui chiffre seulement : il faut la clé privée (AGE-SECRET-KEY-1…).',
      'holds a public key, which encrypts only: the private key is needed (AGE-SECRET-KEY-1…).',
    )
  const { Decrypter } = await loadAge()
  try {
    if (keys.length === 0) throw new Error('no key')
    for (const key of keys) new Decrypter().addIdentity(key)
  } catch {
    throw refuse(
      'ne contient pas de clé privée age (AGE-SECRET-KEY-1…) entière.',
      'holds no whole age private key (AGE-SECRET-KEY-1…).',
    )
  }
  return { file, keys }
}

/** Throws `LocalizedError` where a command was given other keys than those of the product that runs, whose setting decides. */
export function requireSameRecipients(given: readonly string[], running: readonly string[]) {
  if (given.length === 0 || (given.length === running.length && given.every((key) => running.includes(key)))) return
  const [own, theirs] = [given.join(', '), running.join(', ')]
  throw new LocalizedError({
    fr: `BACKUP_RECIPIENT de cette commande (${own}) n’est pas celui du produit en marche (${theirs || 'aucun'}), qui décide : donnez-leur la même valeur, puis redémarrez le produit.`,
    en: `BACKUP_RECIPIENT of this command (${own}) is not that of the running product (${theirs || 'none'}), which decides: give both the same value, and restart the product.`,
  })
}
