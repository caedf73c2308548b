import type { SQL } from 'drizzle-orm'
import { sql } from 'drizzle-orm'
import { cleanRichText } from '#src/features/content/server/rich-text.ts'
import { closeFormerJournal, verifyFormerJournal } from '#src/server/audit-log/former-journals.ts'
import { deferReferences, followSequences, orderByReferences, prepareSession } from '#src/server/backup/dump.ts'
import type { Database } from '#src/server/database/database.ts'
import type { App } from '#src/server/types.ts'
import { findColumns, findExportedTables, pieceTables, query } from './archive.ts'
import { placeOwnUsers, setOwnAside } from './own-users.ts'
import type { Archive } from './read-archive.ts'
import { unusable } from './read-archive.ts'

const batch = { rows: 500, bytes: 1_000_000 }
const pieceBytes = 512 * 1_024

type Override = Record<string, unknown>
type Count = (rows: number) => void

/** What a product fills by being started and online, which makes way for the export. */
const passing: Readonly<Record<string, SQL>> = {
  missing_addresses: sql`true`,
  search_misses: sql`true`,
  // Every product has its periods from the first start; those of the archive replace them.
  retention_periods: sql`true`,
  visit_counts: sql`true`,
  // Versions since the installation: those of the archive come in their place.
  policy_versions: sql`true`,
  // Texts of the company's files that nobody edited here.
  long_texts: sql`version = 1`,
}
/** What a product without content has: its administrator, and what was recorded and sent since it was installed. */
const ownTables = new Set(['users', 'groups', 'journal', 'journal_keys', 'journal_seals', 'mails'])

/** The first table with content of its own; null where an export can come. */
export async function findContent(db: Database) {
  for (const name of await findExportedTables(db)) {
    if (ownTables.has(name)) continue
    const isContent = sql`not (${passing[name] ?? sql`false`})`
    const found = await query(db, sql`select 1 from ${sql.identifier(name)} where ${isContent} limit 1`)
    if (found.length > 0) return name
  }
  return null
}

/** Throws where the product has content, or the archive what this version does not know. */
export async function requirePlace(db: Database, archive: Archive) {
  const content = await findContent(db)
  if (content) {
    throw unusable({
      fr: `Ce produit contient déjà des fiches (${content}) : une exportation ne revient que dans un produit sans contenu, installé avec DEMO=0.`,
      en: `This product already has entries (${content}): an export comes back only into a product without content, installed with DEMO=0.`,
    })
  }
  const known = new Set(await findExportedTables(db))
  for (const { name, columns } of archive.kinds.values()) {
    const own = new Set(known.has(name) ? (await findColumns(db, name)).map((column) => column.name) : [])
    if (known.has(name) && [...columns].every((column) => own.has(column))) continue
    throw unusable({
      fr: `${name}.jsonl est d’une version plus récente du produit : installez cette version, puis importez-y l’archive.`,
      en: `${name}.jsonl is of a newer version of Guichet: install that version, and import the archive there.`,
    })
  }
}

/**
 * Loads an archive into the tables of a product without content, in the caller's transaction: ids stay, users come locked, mails
 * that waited are not sent, and the audit log becomes a closed one beside our own. Returns what was here before, and how many of
 * that were joined.
 */
export async function loadArchive(app: App, tx: Database, archive: Archive, count: Count) {
  await prepareSession(tx)
  const names = await findExportedTables(tx)
  const tables = sql.join(
    names.filter((name) => !name.startsWith('journal')).map((name) => sql.identifier(name)),
    sql`, `,
  )
  await tx.execute(sql`set local lock_timeout to '10s'`)
  await tx.execute(sql`lock table ${tables} in share row exclusive mode`)
  await requirePlace(tx, archive)
  for (const [name, isPassing] of Object.entries(passing))
    await tx.execute(sql`delete from ${sql.identifier(name)} where ${isPassing}`)
  const isKnownFile = new Set(archive.files)
  const own = await setOwnAside(tx)
  const ownMails = await query<{ id: number }>(tx, sql`select id from mails`)
  const enforce = await deferReferences(tx)
  const loaded = new Set(archive.kinds.keys())
  for (const name of await orderByReferences(tx, names)) {
    if (!loaded.has(name) || isJournal(name)) continue
    if (name === 'pictures') await loadPictures(tx, archive, isKnownFile, count)
    else await loadRows(tx, archive, name, insertOf(app, archive, name), count)
    await followSequences(tx, name)
  }
  for (const [table, owner, folder] of pieceTables) await loadPieces(tx, archive, { table, owner, folder })
  const { joined, users, groups } = await placeOwnUsers(tx, own)
  await loadJournals(tx, archive, count)
  await enforce()
  return { joined, own: { users, groups, mails: ownMails.map(({ id }) => id) } }
}

const isJournal = (name: string) => name.startsWith('journal') || name.startsWith('former_journal')

type Insert = (lines: string, overrides: string) => SQL
/** `override`: what a row gets in place of its own values; null where no row is looked at. */
type RowInsert = { override: ((row: Record<string, unknown>) => Override) | null; insert: Insert }

const richTexts: Readonly<Record<string, readonly string[]>> = {
  articles: ['body', 'body_en'],
  jobs: ['description', 'description_en'],
  home_messages: ['message', 'message_en'],
  home_informations: ['description', 'description_en'],
  request_entries: ['html'],
}

const listOf = (columns: Iterable<string>, from?: string) =>
  sql.join(
    [...columns].map((column) => (from ? sql`${sql.identifier(from)}.${sql.identifier(column)}` : sql.identifier(column))),
    sql`, `,
  )

/** How the rows of a table are stored; what an export leaves out gets a value that opens nothing. */
function insertOf(app: App, { kinds }: Archive, name: string): RowInsert {
  const given = [...(kinds.get(name)?.columns ?? [])]
  const filled = { chats: ['key'], users: ['imported'], mails: ['is_imported'] }[name] ?? []
  const columns = listOf([...given, ...filled])
  const table = sql.identifier(name)
  const row = sql`line || override || ${fillOf(name)}`
  const store = app.fileStores.find((one) => one.table === name)
  const override = (values: Record<string, unknown>) => {
    if (store && !store.isKey(String(values[store.column]))) throw unusable(strangeKey(name))
    return cleanTexts(name, values)
  }
  return {
    override: store || name in richTexts ? override : null,
    insert: (lines, overrides) => sql`
      insert into ${table} (${columns}) select ${listOf([...given, ...filled], 'stored')}
      from jsonb_array_elements(${lines}::jsonb) with ordinality as given (line, line_at)
      join jsonb_array_elements(${overrides}::jsonb) with ordinality as changed (override, override_at) on line_at = override_at
      cross join lateral jsonb_populate_record(null::${table}, ${row}) as stored`,
  }
}

const strangeKey = (name: string) => ({
  fr: `${name}.jsonl nomme un fichier ailleurs que dans son dossier.`,
  en: `${name}.jsonl names a file outside of its folder.`,
})

/** SQL of the columns that no export has. */
function fillOf(name: string) {
  if (name === 'chats') {
    const random = sql`sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'))`
    return sql`jsonb_build_object('key', translate(left(encode(${random}, 'base64'), 32), '+/', '-_'))`
  }
  if (name === 'mails') return sql`jsonb_build_object('is_imported', line->>'state' = 'waiting')`
  if (name === 'users') {
    return sql`'{"locked": true, "totp_enabled": false, "totp_chances": 5, "password_set_by_admin": false}'::jsonb
      || jsonb_build_object('imported', jsonb_build_object('locked', line->'locked', 'totp_enabled', line->'totp_enabled',
        'totp_chances', line->'totp_chances', 'password_set_by_admin', line->'password_set_by_admin'))`
  }
  return sql`'{}'::jsonb`
}

/** Rich text as saving it here would leave it: an archive may be of anybody. */
function cleanTexts(name: string, values: Record<string, unknown>): Override {
  const changed: Override = {}
  for (const column of richTexts[name] ?? []) {
    const html = values[column]
    if (typeof html !== 'string') continue
    const clean = cleanRichText(html, column, { pictures: name === 'articles', tables: name !== 'request_entries' })
    if (clean !== html) changed[column] = clean
  }
  return changed
}

async function loadRows(tx: Database, archive: Archive, name: string, { override, insert }: RowInsert, count: Count) {
  let lines: string[] = []
  let overrides: Override[] = []
  let bytes = 0
  let first = 1
  const store = async () => {
    if (lines.length === 0) return
    await tx.execute(insert(`[${lines.join(',')}]`, JSON.stringify(overrides))).catch((cause: unknown) => {
      throw refusedRows(name, first, cause)
    })
    first += lines.length
    count(lines.length)
    ;[lines, overrides, bytes] = [[], [], 0]
  }
  for await (const line of archive.readLines(name)) {
    const text = line.toString('utf8')
    lines.push(text)
    overrides.push(override?.(JSON.parse(text) as Record<string, unknown>) ?? {})
    bytes += line.length
    if (lines.length >= batch.rows || bytes >= batch.bytes) await store()
  }
  await store()
}

/** The database refuses them: a value out of its range, a reference to what is not there, the same twice. */
function refusedRows(name: string, first: number, cause: unknown) {
  const { code = '' } = ((cause as Error).cause ?? cause) as { code?: string }
  // A full disk or a lost connection is no fault of the archive.
  if (!/^2[23]/.test(code)) return cause
  return unusable(
    {
      fr: `${name}.jsonl contient, à partir de la ligne ${first}, des fiches que cette base ne prend pas.`,
      en: `${name}.jsonl holds entries, from line ${first} on, that this database does not take.`,
    },
    cause,
  )
}

const pictureFormats = new Set(['avif', 'jpeg', 'jpg', 'png', 'webp'])

/** A picture is a row with its file. */
async function loadPictures(tx: Database, archive: Archive, files: ReadonlySet<string>, count: Count) {
  for await (const line of archive.readLines('pictures')) {
    const text = line.toString('utf8')
    const { key, width, format } = JSON.parse(text) as { key: unknown; width: unknown; format: unknown }
    const name = `pictures/${String(key)}-${String(width)}.${String(format)}`
    if (!files.has(name) || !pictureFormats.has(String(format))) {
      throw unusable({
        fr: `L’image files/${name} manque dans l’archive.`,
        en: `The picture files/${name} is missing in the archive.`,
      })
    }
    const bytes = await collect(archive.readFile(name))
    const columns = listOf(archive.kinds.get('pictures')?.columns ?? [])
    await tx
      .execute(
        sql`insert into pictures (${columns}, bytes) select ${columns}, ${bytes} from jsonb_populate_record(null::pictures, ${text}::jsonb)`,
      )
      .catch((cause: unknown) => {
        throw refusedRows('pictures', 1, cause)
      })
    count(1)
  }
}

async function loadPieces(
  tx: Database,
  archive: Archive,
  { table, owner, folder }: Record<'table' | 'owner' | 'folder', string>,
) {
  const insert = (id: number, position: number, bytes: Uint8Array) =>
    tx.execute(
      sql`insert into ${sql.identifier(table)} (${sql.identifier(owner)}, position, bytes) values (${id}, ${position}, ${bytes})`,
    )
  for (const name of archive.files) {
    const [place, number = '', more] = name.split('/')
    if (place !== folder) continue
    if (more !== undefined || !/^[1-9]\d{0,9}$/.test(number)) throw unusable(unknownFile(name))
    let position = 0
    let kept: Uint8Array = new Uint8Array()
    for await (const chunk of archive.readFile(name)) {
      kept = Buffer.concat([kept, chunk])
      for (; kept.length >= pieceBytes; kept = kept.subarray(pieceBytes))
        await insert(Number(number), position++, kept.subarray(0, pieceBytes))
    }
    if (kept.length > 0 || position === 0) await insert(Number(number), position, kept)
  }
}

export const unknownFile = (name: string) => ({
  fr: `files/${name} n’appartient à aucune fiche de l’archive.`,
  en: `files/${name} belongs to no entry of the archive.`,
})

async function loadJournals(tx: Database, archive: Archive, count: Count) {
  const insert = (name: string, columns: readonly string[], more: Override): RowInsert => {
    const list = listOf(columns)
    const table = sql.identifier(name)
    return {
      override: null,
      insert: (lines) => sql`
        insert into ${table} (${list}) select ${listOf(columns, 'stored')} from jsonb_array_elements(${lines}::jsonb) as given (line)
        cross join lateral jsonb_populate_record(null::${table}, line || ${JSON.stringify(more)}::jsonb) as stored`,
    }
  }
  // Those of products before the one that was exported.
  const entryColumns = [...(archive.kinds.get('former_journal_entries')?.columns ?? [])]
  if (entryColumns.length > 0)
    await loadRows(tx, archive, 'former_journal_entries', insert('former_journal_entries', entryColumns, {}), count)
  let last = 0
  if (archive.kinds.has('former_journals')) {
    for await (const line of archive.readLines('former_journals')) {
      last = await verifyFormerJournal(tx, JSON.parse(line.toString('utf8')) as Record<string, unknown>).catch(
        (cause: unknown) => {
          throw unusable(changedJournal, cause)
        },
      )
      count(1)
    }
  }
  const columns = archive.kinds.get('journal')?.columns
  if (!columns) return
  const journal = last + 1
  await loadRows(
    tx,
    { ...archive, readLines: () => archive.readLines('journal') },
    'former_journal_entries',
    insert('former_journal_entries', [...columns, 'journal_id'], { journal_id: journal }),
    count,
  )
  const seals: unknown[] = []
  if (archive.kinds.has('journal_seals'))
    for await (const line of archive.readLines('journal_seals')) seals.push(JSON.parse(line.toString('utf8')))
  count(seals.length)
  await closeFormerJournal(tx, journal, seals)
  const keyColumns = archive.kinds.get('journal_keys')?.columns
  if (keyColumns) await loadRows(tx, archive, 'journal_keys', insertKeys([...keyColumns], journal), count)
  await followSequences(tx, 'former_journals')
}

/** Keys of the journal that becomes a former one, among those of its own former ones. */
const insertKeys = (columns: readonly string[], journal: number): RowInsert => ({
  override: null,
  insert: (lines) => sql`
    insert into journal_keys (${listOf(columns)}) select ${listOf(columns, 'stored')} from jsonb_array_elements(${lines}::jsonb) as given (line)
    cross join lateral jsonb_populate_record(null::journal_keys, line || jsonb_build_object('journal_id',
      case when line->>'journal_id' like '%/%' then '' else ${`${journal}/`} end || (line->>'journal_id'))) as stored`,
})

const changedJournal = {
  fr: 'Un ancien journal d’audit de cette archive a été modifié depuis qu’il a été fermé.',
  en: 'A former audit log of this archive was changed after it was closed.',
}

async function collect(chunks: AsyncIterable<Uint8Array>) {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts)
}
