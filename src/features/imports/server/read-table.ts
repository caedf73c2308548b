import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse'
import type { ImportColumn, Importer, ImportSource, LeftOut, SourceEntry } from '#src/features/content/server/importing.ts'
import { cut, Refused, UnusableSource } from '#src/features/content/server/importing.ts'
import { foldText } from '#src/lib/text/plain-text.ts'

export type TableImporter = Extract<Importer, { columns: readonly ImportColumn[] }>
type Row = { at: number; cells: Record<string, string> }

const headBytes = 64 * 1024
const recordMax = 1024 * 1024
/** Rows whose names are the columns of a table without a header, and the most of them. */
const headRows = 1_000
const namesMax = 500

/** Neither NUL nor half of a character, which no database stores. */
const clean = (text: string) => text.replaceAll('\0', '').toWellFormed()

/** The same value with clean texts. */
export function cleanTexts<Value>(value: Value): Value {
  if (typeof value === 'string') return clean(value) as Value
  if (Array.isArray(value)) return value.map((one: unknown) => cleanTexts(one)) as Value
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cleanTexts<unknown>(one)])) as Value
}

/** Hash of a file, and its charset: UTF-8 where all of it is, by its mark UTF-16, else Windows-1252. */
export async function examineFile(path: string) {
  const hash = createHash('sha256')
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isUtf8 = true
  let first: Buffer | undefined
  for await (const chunk of createReadStream(path)) {
    const bytes = chunk as Buffer
    first ??= bytes.subarray(0, 4)
    hash.update(bytes)
    if (!isUtf8) continue
    try {
      decoder.decode(bytes, { stream: true })
    } catch {
      isUtf8 = false
    }
  }
  return { sha256: hash.digest('hex'), charset: charsetOf(first ?? Buffer.alloc(0), isUtf8) }
}

function charsetOf(first: Buffer, isUtf8: boolean) {
  if (first[0] === 0xff && first[1] === 0xfe) return 'utf-16le'
  if (first[0] === 0xfe && first[1] === 0xff) return 'utf-16be'
  return isUtf8 ? 'utf-8' : 'windows-1252'
}

/** The text of a file, piece by piece. */
export async function* readText({ path, charset }: Pick<ImportSource, 'path' | 'charset'>): AsyncGenerator<string> {
  const decoder = new TextDecoder(charset)
  for await (const chunk of createReadStream(path)) yield decoder.decode(chunk as Buffer, { stream: true })
  yield decoder.decode()
}

export async function readHead({ path, charset }: Pick<ImportSource, 'path' | 'charset'>, bytes = headBytes) {
  const file = await open(path)
  try {
    const buffer = Buffer.alloc(bytes)
    const { bytesRead } = await file.read(buffer, 0, bytes, 0)
    return new TextDecoder(charset).decode(buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

const isJson = (head: string) => head.trimStart().startsWith('{')
const separators = [',', ';', '\t', '|']

/** The separator that the first line has most of, outside quotes. */
function separatorOf(head: string) {
  const declared = /^sep=(.)\r?\n/i.exec(head)?.[1]
  if (declared) return declared
  const line = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(head.trimStart())?.[0].replaceAll(/"(?:[^"]|"")*"/g, '') ?? ''
  const countOf = (separator: string) => line.split(separator).length
  return separators.toSorted((one, other) => countOf(other) - countOf(one))[0] ?? ','
}

/** Names of the columns of a table, as the file has them. */
export async function readHeaders(source: Pick<ImportSource, 'path' | 'charset'>): Promise<string[]> {
  const names = new Set<string>()
  let rows = 0
  // A row of JSON names only what it has.
  for await (const { cells } of readRows(source)) {
    for (const name of Object.keys(cells)) if (names.size < namesMax) names.add(name)
    rows += 1
    if (rows === headRows) break
  }
  return [...names]
}

async function* readRows(source: Pick<ImportSource, 'path' | 'charset'>): AsyncGenerator<Row> {
  const head = await readHead(source)
  yield* isJson(head) ? readJsonLines(source) : readCsv(source, separatorOf(head))
}

async function* readJsonLines(source: Pick<ImportSource, 'path' | 'charset'>): AsyncGenerator<Row> {
  let at = 0
  for await (const line of readLines(source)) {
    at += 1
    if (line.trim() !== '') yield { at, cells: cellsOf(line, at) }
  }
}

async function* readLines(source: Pick<ImportSource, 'path' | 'charset'>) {
  let rest = ''
  for await (const text of readText(source)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > recordMax)
      throw new UnusableSource({ fr: 'Une ligne de ce fichier dépasse 1 Mo.', en: 'A line of this file is longer than 1 MB.' })
    yield* lines
  }
  yield rest
}

function cellsOf(line: string, at: number): Record<string, string> {
  try {
    const parsed: unknown = JSON.parse(line)
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new Error('no object')
    return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [clean(name), clean(textOf(value))]))
  } catch {
    throw new UnusableSource({
      fr: `La ligne ${at} n’est pas un objet JSON. Corrigez le fichier et choisissez-le de nouveau.`,
      en: `Line ${at} is not a JSON object. Correct the file and choose it again.`,
    })
  }
}

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

async function* readCsv(source: Pick<ImportSource, 'path' | 'charset'>, delimiter: string): AsyncGenerator<Row> {
  const parser = parse({
    delimiter,
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: recordMax,
  })
  const feeding = pipeline(readText(source), parser)
  // The error of the parser is thrown by its iteration.
  feeding.catch(() => undefined)
  let headers: string[] | null = null
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (headers === null && record.length === 1 && /^sep=.$/i.test(record[0] ?? '')) continue
      if (headers === null) headers = namesOf(record)
      else if (record.some((cell) => cell.trim() !== ''))
        yield { at: info.lines, cells: Object.fromEntries(headers.map((name, index) => [name, clean(record[index] ?? '')])) }
    }
    if (headers === null) throw new UnusableSource({ fr: 'Ce fichier est vide.', en: 'This file is empty.' })
  } catch (error) {
    throw error instanceof CsvError ? explain(error) : error
  } finally {
    parser.destroy()
  }
}

/** Columns without a name, or with one that is there already, get their number. */
function namesOf(record: readonly string[]) {
  const used = new Set<string>()
  return record.map((cell, index) => {
    const name = clean(cell).trim() || `(${index + 1})`
    const unique = used.has(name) ? `${name} (${index + 1})` : name
    used.add(unique)
    return unique
  })
}

function explain(error: CsvError) {
  const { lines } = error as CsvError & { lines?: number }
  if (error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE')
    return new UnusableSource({
      fr: `Un guillemet ouvert avant la ligne ${lines} n’est jamais fermé. Corrigez le fichier et choisissez-le de nouveau.`,
      en: `A quotation mark that opens before line ${lines} is never closed. Correct the file and choose it again.`,
    })
  return new UnusableSource({
    fr: `La ligne ${lines} ne se lit pas comme une ligne de tableau. Corrigez le fichier et choisissez-le de nouveau.`,
    en: `Line ${lines} cannot be read as a row of a table. Correct the file and choose it again.`,
  })
}

const fold = (name: string) => foldText(name).replaceAll(/[^a-z\d]+/g, '')

/** Which column of the file each column here is, by its name in either language; what was chosen comes first. */
export function guessMap(columns: readonly ImportColumn[], headers: readonly string[], chosen: Record<string, string>) {
  const map: Record<string, string> = {}
  const isFree = (header: string) => !Object.values(map).includes(header)
  for (const { name } of [idColumn, ...columns]) {
    const header = chosen[name]
    if (header !== undefined && (header === '' || headers.includes(header))) map[name] = header
  }
  for (const { name, label, others = [] } of [idColumn, ...columns]) {
    if (name in map) continue
    const words = new Set([name, label.fr, label.en, ...others].map(fold))
    map[name] = headers.find((header) => isFree(header) && words.has(fold(header))) ?? ''
  }
  return map
}

/** The id of each row at its source, which every table may have. */
export const idColumn: ImportColumn = {
  name: 'source_id',
  label: { fr: 'Identifiant à la source', en: 'ID at the source' },
  others: ['id', 'numéro', 'no', 'number', 'key', 'clé', 'uuid', 'ticket id'],
}

/** Rows of a table as the entries of a kind. */
export async function* readTable(importer: TableImporter, source: ImportSource): AsyncGenerator<SourceEntry | LeftOut> {
  const headers = Object.entries(source.map)
  for await (const { at, cells } of readRows(source)) {
    const row = Object.fromEntries(headers.map(([name, header]) => [name, (cells[header] ?? '').trim()]))
    const id = row[idColumn.name] || importer.identify?.(row) || JSON.stringify(row)
    const shown = Object.entries(cells).map(([label, text]) => ({ label, text: cut(text, 300) }))
    const entry = { at: String(at), id, name: cut(importer.nameOf(row), 200), shown }
    yield { ...entry, ...valuesOf(importer, row) }
  }
}

function valuesOf(importer: TableImporter, row: Record<string, string>): Pick<SourceEntry, 'values' | 'refused'> {
  const missing = importer.columns.find(({ name, isRequired }) => isRequired && !row[name])
  if (missing)
    return { values: null, refused: { fr: `${missing.label.fr} : obligatoire.`, en: `${missing.label.en}: required.` } }
  try {
    return { values: importer.toValues(row) }
  } catch (error) {
    if (error instanceof Refused) return { values: null, refused: error.reason }
    throw error
  }
}
