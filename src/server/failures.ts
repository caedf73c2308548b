import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LocalizedText } from '#src/lib/form-result.ts'
import { setTypography } from '#src/lib/language/texts.ts'
import { LocalizedError } from './localized-error.ts'
import { describeError, logger, summarizeError } from './log.ts'

type SystemError = Error & { code?: string; syscall?: string; path?: string; hostname?: string; address?: string; port?: number }

/** What to do about an error that the administrator of the server can correct; null where the cause is in the product. */
export function explainFailure(error: unknown): LocalizedText | null {
  if (error instanceof LocalizedError) return error.texts
  if (!(error instanceof Error)) return null
  const { code, syscall, path, hostname } = error as SystemError
  // Names of other servers are looked up too.
  const isOwnName = syscall === 'getaddrinfo' && hostname !== undefined && hostname === process.env.HOST
  if (syscall === 'listen' || isOwnName) return explainListening(error)
  if (code && path !== undefined) return explainFile(code, path)
  return null
}

/**
 * Says on stderr, in both languages, why the start failed, and logs the cause in full: on stdout, or in a file where stdout is
 * a terminal.
 */
export function reportFailedStart(error: unknown) {
  const message = summarizeError(error)
  const texts = explainFailure(error) ?? {
    fr: `Le démarrage a échoué : ${message}`,
    en: `The start failed: ${message}`,
  }
  const file = process.stdout.isTTY ? storeCause(error) : null
  if (!file) logger.fatal({ err: error }, 'the start failed')
  const details = file ? `\n(${file})` : ''
  process.stderr.write(`${setTypography(texts.fr, 'fr')}\n${texts.en}${details}\n`)
}

function storeCause(error: unknown) {
  const file = join(tmpdir(), `guichet-start-${process.pid}.log`)
  try {
    writeFileSync(file, `${JSON.stringify(describeError(error), null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    return file
  } catch {
    return null
  }
}

/** The address of HOST and PORT cannot be taken. */
function explainListening(error: SystemError): LocalizedText | null {
  const { code, address = process.env.HOST ?? '127.0.0.1', port = Number(process.env.PORT ?? 3000) } = error
  if (code === 'EADDRINUSE') {
    const holder = findHolder(port)
    const [by, owner] = holder ? [` par ${holder}`, ` by ${holder}`] : ['', '']
    return {
      fr: `Le port ${port} de ${address} est déjà utilisé${by} : arrêtez ce programme, ou choisissez un autre PORT.`,
      en: `Port ${port} of ${address} is already used${owner}: stop that program, or choose another PORT.`,
    }
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    const host = process.env.HOST ?? address
    return {
      fr: `HOST : ${host} n’est pas une adresse de cette machine. Utilisez 127.0.0.1, ou 0.0.0.0 pour toutes ses adresses.`,
      en: `HOST: ${host} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all its addresses.`,
    }
  }
  if (code === 'EACCES') {
    return {
      fr: `Le port ${port} demande des droits que ce processus n’a pas : choisissez un PORT à partir de 1024, derrière un serveur mandataire.`,
      en: `Port ${port} needs rights that this process does not have: choose a PORT from 1024, behind a proxy.`,
    }
  }
  return null
}

const fileProblems: Record<string, (path: string) => LocalizedText> = {
  EACCES: (path) => ({
    fr: `${path} : accès refusé. Donnez ce fichier ou ce dossier à l’utilisateur du produit, ou choisissez un autre DATA_DIR.`,
    en: `${path}: permission denied. Give this file or folder to the user of the product, or choose another DATA_DIR.`,
  }),
  EROFS: (path) => ({
    fr: `${path} est sur un disque en lecture seule : choisissez un DATA_DIR où écrire.`,
    en: `${path} is on a read-only disk: choose a DATA_DIR that can be written.`,
  }),
  ENOTDIR: (path) => ({
    fr: `${path} passe par un fichier où il faut un dossier : choisissez un autre chemin, tel que DATA_DIR.`,
    en: `${path} leads through a file where a folder is needed: choose another path, such as DATA_DIR.`,
  }),
  ENOENT: (path) => ({
    fr: `${path} n’existe pas et ne peut pas être créé : choisissez un autre chemin, tel que DATA_DIR.`,
    en: `${path} does not exist and cannot be created: choose another path, such as DATA_DIR.`,
  }),
  ENOSPC: (path) => ({
    fr: `Le disque de ${path} est plein : libérez de l’espace, puis recommencez.`,
    en: `The disk of ${path} is full: free some space, then try again.`,
  }),
}

function explainFile(code: string, path: string): LocalizedText | null {
  const isFolderExpected = code === 'EEXIST' || code === 'ENOTDIR'
  const key = code === 'EPERM' ? 'EACCES' : isFolderExpected ? 'ENOTDIR' : code === 'EDQUOT' ? 'ENOSPC' : code
  return fileProblems[key]?.(path) ?? null
}

/** Name and number of the process that listens on a port, where Linux shows it to this user. */
export function findHolder(port: number): string | null {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0')
  const listening = ['tcp', 'tcp6'].flatMap((name) => readLines(`/proc/net/${name}`)).map((line) => line.trim().split(/\s+/))
  const sockets = new Set(
    listening
      .filter(([, local, , state]) => state === '0A' && local?.endsWith(`:${wanted}`))
      .map((fields) => `socket:[${fields[9]}]`),
  )
  if (sockets.size === 0) return null
  for (const id of list('/proc').filter((name) => /^\d+$/.test(name))) {
    const folder = `/proc/${id}/fd`
    if (!list(folder).some((name) => sockets.has(readLink(`${folder}/${name}`)))) continue
    const [name = ''] = readLines(`/proc/${id}/comm`)
    return `${name} (PID ${id})`
  }
  return null
}

/** Processes end while they are listed, and those of others are closed to this user. */
function orNothing<T>(read: () => T, nothing: T) {
  try {
    return read()
  } catch {
    return nothing
  }
}

const list = (folder: string) => orNothing(() => readdirSync(folder), [])
const readLines = (file: string) => orNothing(() => readFileSync(file, 'utf8').split('\n'), [])
const readLink = (path: string) => orNothing(() => readlinkSync(path), '')
