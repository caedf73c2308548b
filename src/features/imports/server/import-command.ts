import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Language } from '#src/lib/language/language.ts'
import { locales } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import type { LocalizedText } from '#src/lib/form-result.ts'
import type { CommandContext, ProductConnection, RunCommand } from '#src/server/command-line/command.ts'
import { followLines, refusalOf } from '#src/server/command-line/lines.ts'
import { Interrupted } from '#src/server/command-line/progress.ts'
import type { Config } from '#src/server/config.ts'
import { LocalizedError } from '#src/server/localized-error.ts'
import { importCommandTexts } from '../command-texts.ts'
import type { ImportResult } from '../contract.ts'
import { importMap } from '../contract.ts'
import { wholeKind } from '../values.ts'
import type { ImportOrder } from './command-routes.ts'

const commandName = 'import'
const refusedShown = 20
const total = (counts: Record<string, number>) => Object.values(counts).reduce((sum, one) => sum + one, 0)
const inBoth = (write: (language: Language) => string): LocalizedText => ({ fr: write('fr'), en: write('en') })

/** `guichet import KIND FILE`: tries the file, and imports it unless `--dry-run`. */
export const runImport: RunCommand = async (context) => {
  const config = context.readConfig()
  const order = await readOrder(context, config)
  const product = await context.openProduct(config, commandName)
  try {
    const result = await importHere(context, product, order)
    const isRefused = result.refused_total > 0 || (!order.dry_run && result.state !== 'done')
    return { text: inBoth((language) => describe(result, language)), json: result, exitCode: isRefused ? 1 : 0 }
  } finally {
    await product.close()
    if (order.owns_file && order.dry_run) await rm(order.path, { force: true })
  }
}

async function importHere({ progress }: CommandContext, product: ProductConnection, order: ImportOrder) {
  const running: { id?: number } = {}
  const onStart = (id: number) => (running.id = id)
  const request = { method: 'POST', path: '/api/imports/command', body: order } as const
  try {
    return await followLines<ImportResult>(product, request, { progress: progress('entries'), onStart })
  } catch (error) {
    // Ctrl+C: it ends at a whole entry, and the same command goes on there.
    if (error instanceof Interrupted && running.id !== undefined)
      await product.send({ method: 'POST', path: `/api/imports/command/${running.id}/stop` })
    throw error
  }
}

async function readOrder({ arguments: words, options, resolvePath }: CommandContext, config: Config): Promise<ImportOrder> {
  const [kind = '', given = ''] = words
  const option = (name: string) => options[name] as string | undefined
  const map = option('map')
  const source = option('source')
  const as = option('as')
  const staff = option('staff')
  const uploads = option('uploads')
  if (uploads) await requireFolder(resolvePath(uploads))
  const path = given === '-' ? await storeInput(config) : isMailFolder(kind, given) ? given : resolvePath(given)
  const found = isMailFolder(kind, given) ? null : await stat(path).catch(() => null)
  if (!isMailFolder(kind, given) && !(found?.isFile() || (kind === 'mail' && found?.isDirectory())))
    throw new LocalizedError({ fr: `Il n’y a pas de fichier ${path}.`, en: `There is no file ${path}.` }, 'usage')
  return {
    kind,
    path,
    file: given === '-' ? '-' : basename(path).slice(0, 200),
    owns_file: given === '-',
    dry_run: options['dryRun'] === true,
    ...(map && { map: await readMap(resolvePath(map)) }),
    ...(source && { source }),
    ...(as && { as }),
    ...(staff && { staff }),
    ...(uploads && { uploads: resolvePath(uploads) }),
    ...(options['fetch'] === true && { fetch: true }),
  }
}

async function requireFolder(path: string) {
  const found = await stat(path).catch(() => null)
  if (!found?.isDirectory())
    throw new LocalizedError({ fr: `Il n’y a pas de dossier ${path}.`, en: `There is no folder ${path}.` }, 'usage')
}

/** A folder of the mailbox that the product reads. */
const isMailFolder = (kind: string, given: string) => kind === 'mail' && given.startsWith('imap:')

async function storeInput({ dataDir }: Config) {
  const folder = join(dataDir, 'imports')
  await mkdir(folder, { recursive: true })
  const path = join(folder, `${randomUUID()}.upload`)
  await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 })).catch(async (error: unknown) => {
    await rm(path, { force: true })
    throw error
  })
  return path
}

async function readMap(path: string) {
  try {
    return importMap.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (cause) {
    throw new LocalizedError(
      {
        fr: `${path} n’est pas un objet JSON de noms, comme {"email": "Courriel du client"}.`,
        en: `${path} is not a JSON object of names, such as {"email": "Customer email"}.`,
      },
      'usage',
      { cause },
    )
  }
}

function describe(result: ImportResult, language: Language) {
  const t = translator(importCommandTexts, language)
  const figures = result.areas.flatMap(({ area, label }) => [
    t('created', { count: result.created[area] ?? 0, label: label[language] }),
    ...(result.updated[area] ? [t('updated', { count: result.updated[area], label: label[language] })] : []),
  ])
  const others = [
    result.known > 0 && t('known', { count: result.known }),
    total(result.left_out) > 0 && t('leftOut', { count: total(result.left_out) }),
    result.refused_total > 0 && t('refused', { count: result.refused_total }),
  ]
  const parts = [...figures, ...others.filter((one) => one !== false)].join(', ') || t('nothing')
  const refused = result.refused
    .slice(0, refusedShown)
    .map(({ at, name, reason, reason_fr }) =>
      t('why', { name: [at, name].filter(Boolean).join(' '), reason: language === 'fr' ? reason_fr : reason }),
    )
  const more = result.refused_total - refused.length
  const undo = result.undo_until ? [t('undo', { id: result.id_import })] : []
  const whole = result.kind === wholeKind ? [t('whole')] : []
  const after = result.state === 'done' ? [...whole, ...undo].join('\n') : t('continue')
  const end = result.dry_run ? t('dryRun') : after
  const head = t(result.dry_run ? 'tried' : result.state, { id: result.id_import })
  return [`${head} ${parts}.`, ...refused, ...(more > 0 ? [t('more', { count: more })] : []), end].join('\n')
}

/** `guichet import list`. */
export const runList: RunCommand = async (context) => {
  const { rows } = await ask<{ rows: ImportResult[] }>(context, '/api/imports/command/list')
  const write = (language: Language) => {
    const t = translator(importCommandTexts, language)
    const lines = rows.map(({ id_import, created_at, kind, file, state, created, done, total: all }) => {
      const at = new Date(created_at).toLocaleString(locales[language], { dateStyle: 'short', timeStyle: 'short' })
      const came = state === 'running' ? `${done} / ${all}` : String(total(created))
      return `${id_import}  ${at}  ${kind}  ${file}  ${t(`is_${state}`)}  ${came}`
    })
    return lines.join('\n') || t('none')
  }
  return { text: inBoth(write), json: rows }
}

/** `guichet import undo ID`. */
export const runUndo: RunCommand = async (context) => {
  const id = Number(context.arguments[0])
  if (!Number.isSafeInteger(id) || id < 1)
    throw new LocalizedError(
      inBoth((language) => translator(importCommandTexts, language)('noNumber', { given: context.arguments[0] ?? '' })),
      'usage',
    )
  const product = await context.openProduct(context.readConfig(), commandName)
  try {
    const request = { method: 'POST', path: `/api/imports/command/${id}/undo` } as const
    const result = await followLines<ImportResult>(product, request, { progress: context.progress('entries') })
    const write = (language: Language) => {
      const t = translator(importCommandTexts, language)
      const left = result.left_entries.map(({ name, label, reason }) =>
        reason ? t('stays', { name: label?.[language] ?? name, reason: reason[language] }) : `- ${name}`,
      )
      const head = t(result.kind === wholeKind ? 'undone_whole' : 'undone_left', { id, count: result.left ?? 0 })
      return [head, ...left].join('\n')
    }
    return { text: inBoth(write), json: result }
  } finally {
    await product.close()
  }
}

async function ask<Result>(context: CommandContext, path: string): Promise<Result> {
  const product = await context.openProduct(context.readConfig(), commandName)
  try {
    const response = await product.send({ method: 'POST', path })
    if (!response.ok) throw await refusalOf(response)
    return (await response.json()) as Result
  } finally {
    await product.close()
  }
}
