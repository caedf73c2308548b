import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import fileSystem, { readdir, stat } from 'node:fs/promises'
import dns from 'node:dns/promises'
import { createServer } from 'node:net'
import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { Redis } from 'ioredis'
import nodemailer from 'nodemailer'
import type { CheckName, CheckState } from '#src/lib/doctor-texts.ts'
import type { LocalizedText } from '#src/lib/form-result.ts'
import type { Language } from '#src/lib/language/language.ts'
import { formatBytes } from '#src/lib/text/numbers.ts'
import { backupFolder, isBackupName } from '../backup/archive.ts'
import { requireRecipients } from '../backup/encryption.ts'
import type { Config, ConfigError } from '../config.ts'
import { ownAddress } from '../config.ts'
import { isFolderLocked } from '../database/folder-lock.ts'
import { listMigrations } from '../database/migrate.ts'
import { LocalizedError } from '../localized-error.ts'
import type { DatabaseFacts } from './connections.ts'
import { answersAt, findCertificateEnd, limitMs } from './connections.ts'

export type Finding = { state: CheckState; message: LocalizedText; fix?: LocalizedText }
export type Check = Finding & { check: CheckName }

export type Context = {
  config: Config
  /** Settings that were left out because they are not valid. */
  invalid: ConfigError[]
  isRunning: boolean
  database: () => Promise<DatabaseFacts>
  /** The mailbox is part of a feature. */
  checkMailbox: (url: string) => Promise<{ ok: boolean; text: LocalizedText }>
}

const dayMs = 86_400_000
const gigabyte = 2 ** 30
const neededMemory = 512 * 2 ** 20

export const both = (fr: string, en: string): LocalizedText => ({ fr, en })
const ok = (fr: string, en: string): Finding => ({ state: 'ok', message: both(fr, en) })
const skip = (fr: string, en: string): Finding => ({ state: 'skip', message: both(fr, en) })
export const problem = (state: 'warn' | 'fail', message: LocalizedText, fix: LocalizedText): Finding => ({ state, message, fix })
const notSet = (name: string) => skip(`${name} n’est pas défini`, `${name} is not set`)

export const sameText = (error: unknown) => {
  const { message, code } = error as { message?: string; code?: string }
  const text = message || code || String(error)
  return both(text, text)
}

export const checks: Record<CheckName, (context: Context) => Finding | Promise<Finding>> = {
  node() {
    const major = Number(process.versions.node.split('.')[0])
    if (major < 24) {
      const fix = both(
        'Lancez npm install, qui installe la version du produit.',
        'Run npm install, which installs the version of the product.',
      )
      return problem('fail', both(`Node ${process.version} est trop ancien`, `Node ${process.version} is too old`), fix)
    }
    const memory = Math.min(process.constrainedMemory() || Infinity, totalmem())
    const megabytes = Math.round(memory / 2 ** 20)
    if (memory < neededMemory) {
      const message = both(`Seulement ${megabytes} Mo de mémoire`, `Only ${megabytes} MB of memory`)
      return problem('warn', message, both('Donnez au moins 512 Mo au produit.', 'Give the product at least 512 MB.'))
    }
    return ok(`Node ${process.version}, ${megabytes} Mo de mémoire`, `Node ${process.version}, ${megabytes} MB of memory`)
  },

  configuration({ invalid }) {
    if (invalid.length === 0) return ok('Tous les réglages sont valides', 'All settings are valid')
    const listed = (language: 'fr' | 'en') => invalid.map(({ texts }) => texts[language]).join(' ')
    const fix = both('Corrigez ces réglages, puis redémarrez.', 'Correct these settings, then restart.')
    return problem('fail', both(listed('fr'), listed('en')), fix)
  },

  data_folder({ config: { dataDir } }) {
    let folder = dataDir
    while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
    // Throws where it is a file, or closed to this process.
    readdirSync(folder)
    accessSync(folder, constants.W_OK | constants.X_OK)
    if (folder === dataDir) return ok(`${dataDir} est accessible`, `${dataDir} can be written`)
    return ok(`${dataDir} sera créé au premier démarrage`, `${dataDir} will be created at the first start`)
  },

  async disk({ config: { dataDir } }) {
    let folder = dataDir
    while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
    const { bavail, blocks, bsize } = await fileSystem.statfs(folder)
    const [free, total] = [bavail * bsize, blocks * bsize]
    const message = both(
      `${formatBytes(free, 'fr')} libres sur ${formatBytes(total, 'fr')}`,
      `${formatBytes(free, 'en')} free of ${formatBytes(total, 'en')}`,
    )
    const fix = both(
      'Libérez de l’espace : anciennes copies de sécurité, anciens enregistrements.',
      'Free some space: old backups, old recordings.',
    )
    if (free < total * 0.03 || free < gigabyte / 4) return problem('fail', message, fix)
    if (free < total * 0.1 || free < gigabyte) return problem('warn', message, fix)
    return { state: 'ok', message }
  },

  async database({ config, database }) {
    if (!config.databaseUrl) return checkEmbedded(join(config.dataDir, 'database'))
    const { version, encoding, took } = await database()
    if (encoding !== 'UTF8') {
      const fix = both(
        "Créez une base avec ENCODING 'UTF8', puis restaurez-y une copie.",
        "Create a database with ENCODING 'UTF8', then restore a backup into it.",
      )
      return problem(
        'fail',
        both(`Cette base utilise l’encodage ${encoding}`, `This database uses the ${encoding} encoding`),
        fix,
      )
    }
    const ms = Math.round(took)
    return ok(`PostgreSQL ${version}, UTF-8, répond en ${ms} ms`, `PostgreSQL ${version}, UTF-8, responds in ${ms} ms`)
  },

  async migrations({ config, database }) {
    if (!config.databaseUrl)
      return skip('Vérifiées au démarrage de la base intégrée', 'Checked when the embedded database starts')
    const known = listMigrations()
    const applied = new Set((await database()).migrations)
    if ([...applied].some((hash) => !known.includes(hash))) {
      const message = both(
        'La base est d’une version plus récente du produit',
        'The database is of a newer version of the product',
      )
      return problem('fail', message, both('Démarrez la version plus récente.', 'Start the newer version.'))
    }
    const missing = known.filter((hash) => !applied.has(hash)).length
    if (missing === 0) return ok('À jour', 'Up to date')
    const message = both(`${missing} mises à jour de la base à faire`, `${missing} updates of the database to apply`)
    return problem('warn', message, both('Le prochain démarrage les fait.', 'The next start applies them.'))
  },

  async redis({ config: { redisUrl } }) {
    if (!redisUrl) return notSet('REDIS_URL')
    const client = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null, connectTimeout: limitMs - 1_000 })
    let cause: Error | undefined
    client.on('error', (error: Error) => (cause = error))
    try {
      await client.connect()
      await client.ping()
      return ok('Redis répond', 'Redis responds')
    } catch (error) {
      const { host } = new URL(redisUrl)
      const reason = sameText(cause ?? error).en
      const message = both(`Redis ne répond pas à ${host} (${reason})`, `Redis does not respond at ${host} (${reason})`)
      return problem('fail', message, both('Démarrez-le, ou corrigez REDIS_URL.', 'Start it, or correct REDIS_URL.'))
    } finally {
      client.disconnect()
    }
  },

  async smtp({ config: { smtpUrl } }) {
    if (!smtpUrl) return notSet('SMTP_URL')
    const timeouts = { connectionTimeout: limitMs - 1_000, greetingTimeout: limitMs - 1_000, socketTimeout: limitMs - 1_000 }
    const transport = nodemailer.createTransport({ url: smtpUrl, ...timeouts })
    const { host } = new URL(smtpUrl)
    try {
      await transport.verify()
      return ok(`${host} accepte la connexion; aucun courriel envoyé`, `${host} accepts the connection; no email was sent`)
    } catch (error) {
      const { code = '', responseCode } = error as { code?: string; responseCode?: number }
      const fix = both(
        'Corrigez SMTP_URL, puis relancez npx guichet doctor.',
        'Correct SMTP_URL, then run npx guichet doctor again.',
      )
      if (code === 'EAUTH') {
        return problem(
          'fail',
          both(`${host} refuse l’utilisateur ou le mot de passe`, `${host} refuses the username or the password`),
          fix,
        )
      }
      const reason = responseCode ?? code
      return problem(
        'fail',
        both(`${host} ne répond pas comme prévu (${reason})`, `${host} does not respond as expected (${reason})`),
        fix,
      )
    } finally {
      transport.close()
    }
  },

  async imap({ config: { imapUrl }, checkMailbox }) {
    if (!imapUrl) return notSet('IMAP_URL')
    const { ok: isGood, text } = await checkMailbox(imapUrl)
    const fix = both(
      'Corrigez IMAP_URL, puis relancez npx guichet doctor.',
      'Correct IMAP_URL, then run npx guichet doctor again.',
    )
    return isGood ? { state: 'ok', message: text } : problem('fail', text, fix)
  },

  async public_url({ config: { publicUrl }, isRunning }) {
    if (!publicUrl) return notSet('PUBLIC_URL')
    if (!isRunning) return skip('Le produit n’est pas en marche', 'The product is not running')
    if (await answersAt(publicUrl)) return ok(`${publicUrl} répond`, `${publicUrl} responds`)
    const message = both(`${publicUrl} ne mène pas au produit`, `${publicUrl} does not lead to the product`)
    return problem('fail', message, both('Vérifiez le DNS et le serveur mandataire.', 'Check the DNS and the proxy.'))
  },

  proxy({ config: { publicUrl, trustProxy, host } }) {
    const isTrusting = trustProxy !== 0
    const isLocal = /^(127\.|::1$|localhost$)/.test(host)
    if (publicUrl?.startsWith('https:') && !isTrusting) {
      const message = both(
        'PUBLIC_URL est en https, mais TRUST_PROXY n’est pas défini : tous les visiteurs semblent venir du serveur mandataire',
        'PUBLIC_URL is https, but TRUST_PROXY is not set: all visitors seem to come from the proxy',
      )
      return problem('warn', message, both('Définissez TRUST_PROXY=1.', 'Set TRUST_PROXY=1.'))
    }
    if (typeof trustProxy === 'number' && isTrusting && !isLocal) {
      const message = both(
        `TRUST_PROXY=${trustProxy}, et ${host} écoute ailleurs que sur cette machine : qui atteint le port sans passer par le serveur mandataire peut forger son adresse`,
        `TRUST_PROXY=${trustProxy}, and ${host} listens beyond this machine: whoever reaches the port without the proxy can forge an address`,
      )
      const fix = both(
        'Hors d’un conteneur, utilisez HOST=127.0.0.1. Dans un conteneur, ne publiez pas le port du produit, mais celui du serveur mandataire.',
        'Outside of a container, use HOST=127.0.0.1. In a container, do not publish the port of the product, but that of the proxy.',
      )
      return problem('warn', message, fix)
    }
    return isTrusting ? ok('TRUST_PROXY convient', 'TRUST_PROXY fits') : skip('Pas de serveur mandataire', 'No proxy')
  },

  async certificate({ config: { publicUrl } }) {
    if (!publicUrl?.startsWith('https:')) return skip('PUBLIC_URL n’est pas en https', 'PUBLIC_URL is not https')
    const { hostname, port } = new URL(publicUrl)
    const until = await findCertificateEnd(hostname, Number(port) || 443).catch((error: unknown) =>
      explainCertificate(error, hostname),
    )
    if (!(until instanceof Date)) return until
    const days = Math.floor((until.getTime() - Date.now()) / dayMs)
    const message = both(`Certificat valide ${days} jours`, `Certificate valid for ${days} days`)
    return days < 14 ? problem('warn', message, renew) : { state: 'ok', message }
  },

  async clock({ config, database }) {
    if (!config.databaseUrl) return skip('Pas d’autre horloge où comparer', 'No other clock to compare with')
    const seconds = Math.round(Math.abs((await database()).now.getTime() - Date.now()) / 1_000)
    if (seconds <= 60) return ok('À la même heure que la base de données', 'The same time as the database')
    const message = both(`${seconds} s d’écart avec la base de données`, `${seconds} s away from the database`)
    return problem('warn', message, both('Synchronisez l’horloge (NTP).', 'Synchronize the clock (NTP).'))
  },

  async backup({ config }) {
    const folder = backupFolder(config)
    const names = (await readdir(folder).catch(() => [])).filter(isBackupName)
    const times = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mtimeMs))
    const fix = both(
      'Lancez npx guichet backup, puis vérifiez la tâche de nuit.',
      'Run npx guichet backup, then check the nightly task.',
    )
    if (times.length === 0) return problem('warn', both('Aucune copie de sécurité', 'No backup'), fix)
    const hours = Math.floor((Date.now() - Math.max(...times)) / 3_600_000)
    const message = both(`La dernière date de ${hours} heures`, `The last one is ${hours} hours old`)
    if (hours > 26) return problem('warn', message, fix)
    if (config.backupRecipients.length > 0) {
      await requireRecipients(config)
      return {
        state: 'ok',
        message: both(`${message.fr}, et les copies sont chiffrées`, `${message.en}, and backups are encrypted`),
      }
    }
    return problem(
      'warn',
      both(`${message.fr}, et les copies ne sont pas chiffrées`, `${message.en}, and backups are not encrypted`),
      both(
        'Définissez BACKUP_RECIPIENT, une clé publique age (docs/operations.md, Encrypted backups).',
        'Set BACKUP_RECIPIENT, an age public key (docs/operations.md, Encrypted backups).',
      ),
    )
  },

  async mail_records({ config: { mailFrom, smtpUrl, dkimSelector } }) {
    if (!mailFrom || !smtpUrl) return notSet(smtpUrl ? 'MAIL_FROM' : 'SMTP_URL')
    const domain = mailFrom.split('@')[1] ?? ''
    const selector = dkimSelector && `${dkimSelector}._domainkey.${domain}`
    const [mx, sender, policy, key] = await Promise.all([
      findRecords(dns.resolveMx(domain)),
      findTexts(domain, 'v=spf1'),
      findTexts(`_dmarc.${domain}`, 'v=DMARC1'),
      selector ? findTexts(selector, '') : null,
    ])
    const missing = [
      // A single record that names no server takes no mail (RFC 7505), so no reply of a customer.
      mx.every(({ exchange }) => exchange === '') && both(`${domain} : MX`, `${domain}: MX`),
      sender.length === 0 && both(`${domain} : TXT v=spf1 … ~all`, `${domain}: TXT v=spf1 … ~all`),
      // Two of them count as an error (RFC 7208, 4.5).
      sender.length > 1 &&
        both(`${domain} : un seul v=spf1 au lieu de ${sender.length}`, `${domain}: one v=spf1, not ${sender.length}`),
      sender.some((text) => /\s\+?all$/.test(text)) &&
        both(`${domain} : v=spf1 sans « +all »`, `${domain}: v=spf1 without “+all”`),
      policy.length !== 1 && both(`_dmarc.${domain} : un TXT v=DMARC1`, `_dmarc.${domain}: one TXT v=DMARC1`),
      // A key that is empty was withdrawn (RFC 6376, 3.6.1).
      key && !key.some((text) => /(?:^|;)\s*p=[^;\s]/.test(text)) && both(`${selector} : TXT p=…`, `${selector}: TXT p=…`),
    ].filter((one) => one !== false && one !== null)
    if (missing.length > 0) {
      const join = (language: Language) => missing.map((one) => one[language]).join('; ')
      return problem(
        'warn',
        both(`À corriger dans le DNS : ${join('fr')}`, `To correct in the DNS: ${join('en')}`),
        both('docs/mail.md donne les enregistrements exacts.', 'docs/mail.md gives the exact records.'),
      )
    }
    if (key) return ok(`${domain} a MX, SPF, DKIM et DMARC`, `${domain} has MX, SPF, DKIM and DMARC`)
    return ok(
      `${domain} a MX, SPF et DMARC (DKIM : DKIM_SELECTOR n’est pas défini)`,
      `${domain} has MX, SPF and DMARC (DKIM: DKIM_SELECTOR is not set)`,
    )
  },

  async port({ config, isRunning }) {
    if (isRunning) return ok(`Le produit répond à ${ownAddress(config)}`, `The product responds at ${ownAddress(config)}`)
    const server = createServer()
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(config.port, config.host, resolve)
      })
      return ok(`Le port ${config.port} est libre`, `Port ${config.port} is free`)
    } finally {
      server.close()
    }
  },
}

/** Where there are none; throws where the DNS does not tell. */
async function findRecords<Record>(asked: Promise<Record[]>): Promise<Record[]> {
  try {
    return await asked
  } catch (error) {
    const { code, hostname } = error as NodeJS.ErrnoException & { hostname?: string }
    if (code === 'ENOTFOUND' || code === 'ENODATA') return []
    throw new LocalizedError(
      {
        fr: `Le DNS n’a pas répondu pour ${hostname ?? ''} (${code ?? ''}).`,
        en: `The DNS did not answer for ${hostname ?? ''} (${code ?? ''}).`,
      },
      'unreachable',
      { cause: error },
    )
  }
}

async function findTexts(name: string, start: string) {
  const found = await findRecords(dns.resolveTxt(name))
  return found.map((parts) => parts.join('')).filter((text) => text.startsWith(start))
}

const renew = both('Renouvelez le certificat.', 'Renew the certificate.')

function explainCertificate(error: unknown, host: string): Finding {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (code === 'CERT_HAS_EXPIRED')
    return problem('fail', both(`Le certificat de ${host} est expiré`, `The certificate of ${host} has expired`), renew)
  if (/CERT|SIGNATURE|ISSUER|ERR_TLS/.test(code)) {
    const texts = both(
      `Le certificat de ${host} n’est pas accepté (${code})`,
      `The certificate of ${host} is not accepted (${code})`,
    )
    const fix = both(
      'Renouvelez-le, ou ajoutez-y ce nom et les certificats intermédiaires.',
      'Renew it, or add this name and the intermediate certificates to it.',
    )
    return problem('fail', texts, fix)
  }
  const texts = both(`${host} ne répond pas (${code || message})`, `${host} does not respond (${code || message})`)
  return problem('fail', texts, both('Vérifiez le DNS et le serveur mandataire.', 'Check the DNS and the proxy.'))
}

/** Opening it would write into it, so only its files are looked at. */
async function checkEmbedded(folder: string): Promise<Finding> {
  if (!existsSync(folder))
    return ok('La base intégrée sera créée au premier démarrage', 'The embedded database will be created at the first start')
  if (await isFolderLocked(folder)) return ok('Base intégrée, ouverte par le produit', 'Embedded database, opened by the product')
  const control = statSync(join(folder, 'global/pg_control'), { throwIfNoEntry: false })
  if (control?.size === 8_192 && existsSync(join(folder, 'PG_VERSION')))
    return ok('Base intégrée, fermée', 'Embedded database, closed')
  const message = both(`La base intégrée de ${folder} est endommagée`, `The embedded database in ${folder} is damaged`)
  const fix = both(
    'Déplacez ce dossier, puis restaurez la dernière copie : npx guichet restore FICHIER.',
    'Move this folder, then restore the last backup: npx guichet restore FILE.',
  )
  return problem('fail', message, fix)
}
