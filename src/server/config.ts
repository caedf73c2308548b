import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { closeFolder, makeNewFilesPrivate } from './private-folder.ts'

const port = z.coerce.number().int().min(0).max(65535)
const url = (protocols: RegExp) => z.url({ protocol: protocols })
const count = (usual: number) => z.coerce.number().int().min(1).max(1_000_000).default(usual)
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
  IMAP_URL: url(/^imaps?$/)
    .optional()
    .describe('an address such as imaps://user:password@host:993/INBOX'),
  CHAT_URL: url(/^https?$/)
    .optional()
    .describe('an address such as https://chat.example.com'),
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
  SESSION_SECRET: z.string().min(32).optional().describe('at least 32 characters'),
  ADMIN_USERNAME: z
    .string()
    .regex(/^[\w.@-]{1,80}$/)
    .default('admin')
    .describe('letters, digits, dot, dash, 80 at most'),
  ADMIN_PASSWORD: z.string().min(12).max(128).optional().describe('a password of 12 to 128 characters'),
  DEMO: flag.optional().describe('1 or 0'),
  METRICS_TOKEN: z.string().min(16).optional().describe('at least 16 characters'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(/^https?$/)
    .optional()
    .describe('the address of a collector, such as http://127.0.0.1:4318'),
  RECORDINGS_WATCH: z.string().min(1).optional().describe('a folder'),
  RECORDINGS_S3_URL: url(/^https?$/)
    .refine((value) => isBucketAddress(new URL(value)))
    .optional()
    .describe('an address such as https://KEY:SECRET@s3.example.com/bucket?region=ca-central-1'),
  STATUS_COPY: z
    .string()
    .min(1)
    .refine((value) => !/^https?:/.test(value) || (URL.canParse(value) && isBucketAddress(new URL(value))))
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

export const environmentNames = Object.keys(environmentSchema.shape)

function isBucketAddress({ username, password, pathname }: URL) {
  return username !== '' && password !== '' && pathname.length > 1
}

export class ConfigError extends Error {}

export type Config = ReturnType<typeof readConfig>

/**
 * Reads the environment; throws `ConfigError` with one line that names the first invalid variable. Every command that works on
 * the data starts here, so here new files become private.
 */
export function readConfig(environment: NodeJS.ProcessEnv) {
  makeNewFilesPrivate()
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const result = environmentSchema.safeParse(given)
  if (!result.success) throw new ConfigError(explain(result.error.issues[0]))
  const env = result.data
  const dataDir = resolve(env.DATA_DIR)
  closeFolder(dataDir)
  return {
    mode: env.NODE_ENV,
    port: env.PORT,
    host: env.HOST,
    publicUrl: env.PUBLIC_URL ? new URL(env.PUBLIC_URL).origin : undefined,
    dataDir,
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    mailSupportTo: env.MAIL_SUPPORT_TO,
    mailContactTo: env.MAIL_CONTACT_TO,
    mailInbox: env.MAIL_INBOX,
    imapUrl: env.IMAP_URL,
    chatUrl: env.CHAT_URL ? new URL(env.CHAT_URL).origin : undefined,
    trustProxy: readTrustProxy(env.TRUST_PROXY),
    /** Null without https, or where it is turned off. */
    hsts: env.PUBLIC_URL?.startsWith('https:') && env.HSTS !== '0' ? env.HSTS : null,
    maxSocketsPerAddress: env.MAX_SOCKETS_PER_ADDRESS,
    maxStreamsPerAddress: env.MAX_STREAMS_PER_ADDRESS,
    requestTimeoutS: env.REQUEST_TIMEOUT_S,
    /** Hosts of push services that may be in a private network. */
    pushAllow: env.PUSH_ALLOW?.toLowerCase().split(/, ?/) ?? [],
    secret: env.SESSION_SECRET ?? storedSecret(dataDir),
    isSecretGiven: env.SESSION_SECRET !== undefined,
    adminUsername: env.ADMIN_USERNAME,
    adminPassword: env.ADMIN_PASSWORD,
    demo: env.DEMO ?? !env.DATABASE_URL,
    metricsToken: env.METRICS_TOKEN,
    tracesUrl: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    recordingsWatch: env.RECORDINGS_WATCH ? resolve(env.RECORDINGS_WATCH) : undefined,
    recordingsS3Url: env.RECORDINGS_S3_URL,
    /** A folder, or the address of a bucket. */
    statusCopy: readStatusCopy(env.STATUS_COPY),
    mapTilesUrl: env.MAP_TILES_URL,
    logLevel: env.LOG_LEVEL,
  }
}

function readStatusCopy(value: string | undefined) {
  if (value === undefined) return undefined
  return /^https?:/.test(value) ? new URL(value) : resolve(value)
}

/** Address of the product from this machine, without DNS. */
export function ownAddress({ host, port }: Pick<Config, 'host' | 'port'>) {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}

function explain(issue: z.core.$ZodIssue | undefined) {
  const name = String(issue?.path[0])
  const field = environmentSchema.shape[name as keyof typeof environmentSchema.shape]
  return `${name} is not valid: expected ${field?.description ?? issue?.message}.`
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
    mkdirSync(dataDir, { recursive: true })
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
