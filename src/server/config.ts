import { randomBytes } from 'node:crypto'
import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { getDomain } from 'tldts'
import { z } from 'zod'
import type { LocalizedText } from '#src/lib/form-result.ts'
import { LocalizedError } from './localized-error.ts'
import { closeFolder, makeNewFilesPrivate } from './private-folder.ts'

const port = z.coerce.number().int().min(0).max(65535)
const url = (protocols: RegExp) => z.url({ protocol: protocols })
const count = (usual: number) => z.coerce.number().int().min(1).max(1_000_000).default(usual)
const verificationMark = z.string().regex(/^[\w+/=-]{8,128}$/)
const flag = z.enum(['0', '1']).transform((value) => value === '1')

/** The environment variables; each message describes the valid values, for the one-line error. */
const environmentSchema = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test'], 'production, development or test').default('production'),
  PORT: port.default(3000).describe('a port from 0 to 65535'),
  HOST: z.string().min(1).default('127.0.0.1').describe('an address to listen on'),
  PUBLIC_URL: url(/^https?$/)
    .optional()
    .describe('an address such as https://www.example.com'),
  DATA_DIR: z.string().min(1).default('./data').describe('a folder'),
  COMPANY_DIR: z
    .string()
    .min(1)
    .refine((folder) => existsSync(folder))
    .optional()
    .describe('a folder that exists'),
  DATABASE_URL: url(/^postgres(ql)?$/)
    .optional()
    .describe('an address such as postgres://user:password@host:5432/name'),
  REDIS_URL: url(/^rediss?$/)
    .optional()
    .describe('an address such as redis://host:6379'),
  SMTP_URL: url(/^smtps?$/)
    .optional()
    .describe('an address such as smtp://user:password@host:587'),
  MAIL_FROM: z.email().optional().describe('an email address'),
  MAIL_SUPPORT_TO: z.email().optional().describe('an email address'),
  MAIL_CONTACT_TO: z.email().optional().describe('an email address'),
  MAIL_INBOX: z.email().optional().describe('an email address'),
  DKIM_SELECTOR: z
    .string()
    .regex(/^[\w-]+(?:\.[\w-]+)*$/)
    .max(63)
    .optional()
    .describe('the selector of a DKIM key, such as mail2026'),
  IMAP_URL: url(/^imaps?$/)
    .optional()
    .describe('an address such as imaps://user:password@host:993/INBOX'),
  CHAT_URL: url(/^https?$/)
    .optional()
    .describe('an address such as https://chat.example.com'),
  API_URL: url(/^https?$/)
    .optional()
    .describe('an address such as https://api.example.com, of the same site as PUBLIC_URL'),
  TRUST_PROXY: z
    .string()
    .refine(isProxyList)
    .default('0')
    .describe(
      'the number of proxies in front or their addresses; to trust everybody (true) would let each caller choose an address ' +
        'by X-Forwarded-For and so walk round every limit',
    ),
  MAX_SOCKETS_PER_ADDRESS: count(50).describe('a whole number above 0'),
  MAX_STREAMS_PER_ADDRESS: count(20).describe('a whole number above 0'),
  REQUEST_TIMEOUT_S: count(30).describe('a whole number of seconds above 0'),
  HSTS: z
    .string()
    .regex(/^(0|max-age=\d+(; ?(includeSubDomains|preload))*)$/)
    .default('max-age=63072000; includeSubDomains')
    .describe('the value of the header Strict-Transport-Security, such as max-age=63072000, or 0'),
  PUSH_ALLOW: z
    .string()
    .regex(/^[\w.:-]+(, ?[\w.:-]+)*$/)
    .optional()
    .describe('hosts separated by commas, such as push.example.lan'),
  IMPORT_ALLOW: z
    .string()
    .regex(/^[\w.:-]+(, ?[\w.:-]+)*$/)
    .optional()
    .describe('hosts separated by commas, such as wordpress.example.lan'),
  SESSION_SECRET: z.string().min(32).optional().describe('at least 32 characters'),
  BACKUP_RECIPIENT: z
    .string()
    .regex(/^age1[a-z\d]+(?:[ ,]+age1[a-z\d]+)*$/)
    .optional()
    .describe('one or more age public keys (age1…, never the private key), separated by spaces'),
  ADMIN_USERNAME: z
    .string()
    .regex(/^[\w.@-]{1,80}$/)
    .default('admin')
    .describe('letters, digits, dot, dash, 80 at most'),
  ADMIN_PASSWORD: z.string().min(12).max(128).optional().describe('a password of 12 to 128 characters'),
  INDEXING: flag.default(true).describe('1 or 0'),
  GOOGLE_SITE_VERIFICATION: verificationMark.optional().describe('the content of the meta tag that Google gives'),
  BING_SITE_VERIFICATION: verificationMark.optional().describe('the content of the meta tag that Bing gives'),
  INDEXNOW_KEY: z
    .string()
    .regex(/^[A-Za-z\d-]{8,128}$/)
    .optional()
    .describe('8 to 128 letters, digits and dashes'),
  INDEXNOW_URL: url(/^https?$/)
    .default('https://api.indexnow.org/indexnow')
    .describe('an address such as https://api.indexnow.org/indexnow'),
  DEMO: flag.optional().describe('1 or 0'),
  METRICS_TOKEN: z.string().min(16).optional().describe('at least 16 characters'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(/^https?$/)
    .optional()
    .describe('the address of a collector, such as http://127.0.0.1:4318'),
  FILES_URL: z
    .string()
    .min(1)
    .refine((value) => !isWebAddress(value) || (URL.canParse(value) && isBucketAddress(new URL(value))))
    .optional()
    .describe('a folder, or an address such as https://KEY:SECRET@s3.example.com/bucket?region=ca-central-1'),
  RECORDINGS_WATCH: z.string().min(1).optional().describe('a folder'),
  RECORDINGS_S3_URL: url(/^https?$/)
    .refine((value) => isBucketAddress(new URL(value)))
    .optional()
    .describe('an address such as https://KEY:SECRET@s3.example.com/bucket?region=ca-central-1'),
  STATUS_COPY: z
    .string()
    .min(1)
    .refine((value) => !isWebAddress(value) || (URL.canParse(value) && isBucketAddress(new URL(value))))
    .optional()
    .describe('a folder, or an address such as https://KEY:SECRET@s3.example.com/bucket?region=ca-central-1'),
  MAP_TILES_URL: z
    .string()
    .regex(/^https?:\/\/.+\{z\}.+\{x\}.+\{y\}/)
    .optional()
    .describe('an address with {z}, {x} and {y}'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('fatal, error, warn, info, debug, trace or silent'),
})

const frenchDescriptions: Record<keyof typeof environmentSchema.shape, string> = {
  NODE_ENV: 'production, development ou test',
  PORT: 'un port de 0 à 65535',
  HOST: 'une adresse où écouter',
  PUBLIC_URL: 'une adresse comme https://www.example.com',
  DATA_DIR: 'un dossier',
  COMPANY_DIR: 'un dossier qui existe',
  DATABASE_URL: 'une adresse comme postgres://user:password@host:5432/name',
  REDIS_URL: 'une adresse comme redis://host:6379',
  SMTP_URL: 'une adresse comme smtp://user:password@host:587',
  MAIL_FROM: 'une adresse de courriel',
  MAIL_SUPPORT_TO: 'une adresse de courriel',
  MAIL_CONTACT_TO: 'une adresse de courriel',
  MAIL_INBOX: 'une adresse de courriel',
  DKIM_SELECTOR: 'le sélecteur d’une clé DKIM, comme mail2026',
  IMAP_URL: 'une adresse comme imaps://user:password@host:993/INBOX',
  CHAT_URL: 'une adresse comme https://chat.example.com',
  API_URL: 'une adresse comme https://api.example.com, du même site que PUBLIC_URL',
  TRUST_PROXY:
    'le nombre de serveurs mandataires devant le produit, ou leurs adresses; faire confiance à tous (true) laisserait chacun ' +
    'choisir son adresse par X-Forwarded-For, et contourner ainsi toutes les limites',
  MAX_SOCKETS_PER_ADDRESS: 'un nombre entier plus grand que 0',
  MAX_STREAMS_PER_ADDRESS: 'un nombre entier plus grand que 0',
  REQUEST_TIMEOUT_S: 'un nombre entier de secondes plus grand que 0',
  HSTS: 'la valeur de l’en-tête Strict-Transport-Security, comme max-age=63072000, ou 0',
  PUSH_ALLOW: 'des noms d’hôtes séparés par des virgules, comme push.example.lan',
  IMPORT_ALLOW: 'des noms d’hôtes séparés par des virgules, comme wordpress.example.lan',
  SESSION_SECRET: 'au moins 32 caractères',
  BACKUP_RECIPIENT: 'une ou plusieurs clés publiques age (age1…, jamais la clé privée), séparées par des espaces',
  ADMIN_USERNAME: 'des lettres, des chiffres, des points et des traits d’union, 80 au plus',
  ADMIN_PASSWORD: 'un mot de passe de 12 à 128 caractères',
  INDEXING: '1 ou 0',
  GOOGLE_SITE_VERIFICATION: 'le contenu de la balise meta que Google donne',
  BING_SITE_VERIFICATION: 'le contenu de la balise meta que Bing donne',
  INDEXNOW_KEY: 'de 8 à 128 lettres, chiffres et traits d’union',
  INDEXNOW_URL: 'une adresse comme https://api.indexnow.org/indexnow',
  DEMO: '1 ou 0',
  METRICS_TOKEN: 'au moins 16 caractères',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'l’adresse d’un collecteur, comme http://127.0.0.1:4318',
  FILES_URL: 'un dossier, ou une adresse comme https://KEY:SECRET@s3.example.com/bucket?region=ca-central-1',
  RECORDINGS_WATCH: 'un dossier',
  RECORDINGS_S3_URL: 'une adresse comme https://KEY:SECRET@s3.example.com/bucket?region=ca-central-1',
  STATUS_COPY: 'un dossier, ou une adresse comme https://KEY:SECRET@s3.example.com/bucket?region=ca-central-1',
  MAP_TILES_URL: 'une adresse qui contient {z}, {x} et {y}',
  LOG_LEVEL: 'fatal, error, warn, info, debug, trace ou silent',
}

export const environmentNames = Object.keys(environmentSchema.shape)

const isWebAddress = (value = '') => /^https?:/.test(value)

function isBucketAddress({ username, password, pathname }: URL) {
  return username !== '' && password !== '' && pathname.length > 1
}

/** A setting that is not valid, or cannot be used with the others. */
export class ConfigError extends LocalizedError {}

export type Config = ReturnType<typeof readConfig>

/**
 * Reads the environment; throws `ConfigError` with one line that names the first invalid variable. Every command that works on
 * the data starts here, so here new files become private.
 */
export function readConfig(environment: NodeJS.ProcessEnv, { isReadOnly = false } = {}) {
  makeNewFilesPrivate()
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const result = environmentSchema.safeParse(given)
  if (!result.success) throw new ConfigError(explain(result.error.issues[0]))
  const env = result.data
  const dataDir = resolve(env.DATA_DIR)
  const hosts = readHosts(env)
  if (env.REDIS_URL && !env.DATABASE_URL) {
    throw new ConfigError({
      fr: 'REDIS_URL demande DATABASE_URL : plusieurs serveurs ne peuvent pas partager la base intégrée. Définissez DATABASE_URL, ou retirez REDIS_URL.',
      en: 'REDIS_URL needs DATABASE_URL: several servers cannot share the embedded database. Set DATABASE_URL, or remove REDIS_URL.',
    })
  }
  if (env.INDEXNOW_KEY && !env.PUBLIC_URL) {
    throw new ConfigError({
      fr: 'INDEXNOW_KEY demande PUBLIC_URL : les moteurs de recherche reçoivent des adresses complètes. Définissez PUBLIC_URL, ou retirez INDEXNOW_KEY.',
      en: 'INDEXNOW_KEY needs PUBLIC_URL: search engines are given whole addresses. Set PUBLIC_URL, or remove INDEXNOW_KEY.',
    })
  }
  if (!isReadOnly) {
    makeDataFolder(dataDir)
    // A file in its place, or a folder that is closed to this process.
    readdirSync(dataDir)
    accessSync(dataDir, constants.W_OK | constants.X_OK)
    closeFolder(dataDir)
  }
  return {
    mode: env.NODE_ENV,
    port: env.PORT,
    host: env.HOST,
    ...hosts,
    dataDir,
    /** The files that the company keeps of its own; they show after the next build. The folder may not exist. */
    companyDir: resolve(env.COMPANY_DIR ?? join(dataDir, 'company')),
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    mailSupportTo: env.MAIL_SUPPORT_TO,
    mailContactTo: env.MAIL_CONTACT_TO,
    mailInbox: env.MAIL_INBOX,
    dkimSelector: env.DKIM_SELECTOR,
    imapUrl: env.IMAP_URL,
    trustProxy: readTrustProxy(env.TRUST_PROXY),
    /** Null without https, or where it is turned off. */
    hsts: env.PUBLIC_URL?.startsWith('https:') && env.HSTS !== '0' ? env.HSTS : null,
    maxSocketsPerAddress: env.MAX_SOCKETS_PER_ADDRESS,
    maxStreamsPerAddress: env.MAX_STREAMS_PER_ADDRESS,
    requestTimeoutS: env.REQUEST_TIMEOUT_S,
    /** Hosts of push services that may be in a private network. */
    pushAllow: env.PUSH_ALLOW?.toLowerCase().split(/, ?/) ?? [],
    /** Hosts in a private network whose pictures an import may fetch. */
    importAllow: env.IMPORT_ALLOW?.toLowerCase().split(/, ?/) ?? [],
    secret: env.SESSION_SECRET ?? (isReadOnly ? '' : storedSecret(dataDir)),
    isSecretGiven: env.SESSION_SECRET !== undefined,
    /** Public keys that backups are encrypted to; none: they are not. */
    backupRecipients: env.BACKUP_RECIPIENT?.split(/[ ,]+/) ?? [],
    adminUsername: env.ADMIN_USERNAME,
    adminPassword: env.ADMIN_PASSWORD,
    /** Whether search engines may show the site; false for a copy to try things on. */
    isIndexed: env.INDEXING,
    /** Meta tags of the home page that tell search engines whose site it is. */
    verificationMarks: {
      ...(env.GOOGLE_SITE_VERIFICATION && { 'google-site-verification': env.GOOGLE_SITE_VERIFICATION }),
      ...(env.BING_SITE_VERIFICATION && { 'msvalidate.01': env.BING_SITE_VERIFICATION }),
    } as Readonly<Record<string, string>>,
    /** Search engines hear of changed pages; null where that is off, and for a copy to try things on. */
    indexNow: env.INDEXNOW_KEY && env.INDEXING ? { key: env.INDEXNOW_KEY, url: env.INDEXNOW_URL } : null,
    demo: env.DEMO ?? !env.DATABASE_URL,
    metricsToken: env.METRICS_TOKEN,
    tracesUrl: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    recordingsWatch: env.RECORDINGS_WATCH ? resolve(env.RECORDINGS_WATCH) : undefined,
    /** Folder of the files that several instances share. */
    filesDir: env.FILES_URL && !isWebAddress(env.FILES_URL) ? resolve(env.FILES_URL) : undefined,
    recordingsS3Url: env.RECORDINGS_S3_URL ?? (isWebAddress(env.FILES_URL) ? env.FILES_URL : undefined),
    /** A folder, or the address of a bucket. */
    statusCopy: readStatusCopy(env.STATUS_COPY),
    mapTilesUrl: env.MAP_TILES_URL,
    logLevel: env.LOG_LEVEL,
  }
}

/** The origins that browsers use; throws `ConfigError` where pages and API are of two sites, which share no cookie. */
function readHosts(env: { PUBLIC_URL?: string; API_URL?: string; CHAT_URL?: string }) {
  const originOf = (address: string | undefined) => (address ? new URL(address).origin : undefined)
  const [publicUrl, api] = [originOf(env.PUBLIC_URL), originOf(env.API_URL)]
  const apiUrl = api === publicUrl ? undefined : api
  const cookieDomain = apiUrl && findCommonParent(publicUrl, apiUrl)
  if (apiUrl && !cookieDomain) {
    throw new ConfigError({
      fr: `API_URL : ${apiUrl} n’est pas du même site que PUBLIC_URL (${publicUrl ?? 'absente'}), et les navigateurs n’y enverraient pas la session. Donnez deux hôtes d’un même domaine, comme https://www.example.com et https://api.example.com.`,
      en: `API_URL: ${apiUrl} is not of the same site as PUBLIC_URL (${publicUrl ?? 'not set'}), and browsers would not send the session there. Give two hosts of one domain, such as https://www.example.com and https://api.example.com.`,
    })
  }
  return {
    publicUrl,
    /** The API's own host, where it is not that of the pages. */
    apiUrl,
    /** Domain of the cookie that the pages read and the API checks. */
    cookieDomain,
    /** Visitors chat without cookies, so the host of the API serves them as well. */
    chatUrl: originOf(env.CHAT_URL) ?? apiUrl,
  }
}

/** The longest domain that holds both hosts within their site, by the Public Suffix List; undefined for two sites. */
function findCommonParent(pages: string | undefined, api: string) {
  if (!pages || new URL(pages).protocol !== new URL(api).protocol) return undefined
  const [a, b] = [new URL(pages).hostname, new URL(api).hostname]
  const site = getDomain(a, { allowPrivateDomains: true })
  if (!site || site !== getDomain(b, { allowPrivateDomains: true })) return undefined
  const labels = a.split('.')
  return labels.map((_, at) => labels.slice(at).join('.')).find((domain) => `.${b}`.endsWith(`.${domain}`))
}

function readStatusCopy(value: string | undefined) {
  if (value === undefined) return undefined
  return isWebAddress(value) ? new URL(value) : resolve(value)
}

/**
 * Level by level: under /proc, mkdir of Node never ends with `recursive`. Throws the error of the system, which names the
 * path.
 */
function makeDataFolder(folder: string) {
  if (!existsSync(folder)) {
    const parent = dirname(folder)
    if (parent !== folder) makeDataFolder(parent)
    try {
      mkdirSync(folder)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Address of the product from this machine, without DNS. */
export function ownAddress({ host, port }: Pick<Config, 'host' | 'port'>) {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}

function explain(issue: z.core.$ZodIssue | undefined): LocalizedText {
  const name = String(issue?.path[0])
  const field = environmentSchema.shape[name as keyof typeof environmentSchema.shape]
  const french = frenchDescriptions[name as keyof typeof environmentSchema.shape]
  return {
    fr: `${name} n’est pas valide : il faut ${french}.`,
    en: `${name} is not valid: expected ${field?.description ?? issue?.message}.`,
  }
}

function readTrustProxy(value: string): number | string[] {
  if (value === 'false') return 0
  return /^\d+$/.test(value) ? Number(value) : value.split(/[ ,]+/)
}

/** A number of proxies (`false` is none), or addresses and networks, but not the network of all addresses. */
function isProxyList(value: string) {
  if (value === 'false' || /^\d{1,2}$/.test(value)) return true
  return value.split(/[ ,]+/).every((one) => {
    const [address = '', bits, ...rest] = one.split('/')
    const version = isIP(address)
    if (version === 0 || rest.length > 0) return false
    return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  })
}

/** Reads the secret from the file in `DATA_DIR`; creates it where there is none. */
export function storedSecret(dataDir: string) {
  const file = join(dataDir, 'session-secret')
  if (!existsSync(file)) {
    makeDataFolder(dataDir)
    // `wx`: of two concurrent first starts, one writes and the other reads.
    try {
      writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    chmodSync(file, 0o600)
  }
  return readFileSync(file, 'utf8').trim()
}
