import { getTableName, is } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import type { ServerFeature } from '#src/features/content/server/feature.ts'
import { tableEndsOf } from '#src/features/content/server/feature.ts'
import type { StoredData } from '#src/server/stored-data.ts'

/** Columns that say nothing about a person, of tables that are not declared as kept data. */
export const impersonal: Readonly<Record<string, string>> = {
  announced_pages: 'path changed_at',
  article_slugs: 'slug',
  articles: 'slug slug_en title title_en body body_en category keywords keywords_en english_older',
  canned_replies: 'shortcut reply reply_en english_older',
  chat_settings: 'settings',
  company_settings: 'settings',
  entry_orders: 'area ids',
  erasures: 'kind hash',
  former_journals: 'last_hash digest seals seal',
  glossary_terms: 'term term_en',
  groups: 'name rights',
  home_informations: 'title title_en description description_en english_older',
  home_messages: 'title title_en message message_en english_older',
  import_entries: 'source entry writer digest mark',
  inbox_state: 'holder last_error',
  jobs: 'title title_en description description_en employment_type english_older',
  journal_seals: 'key_id last_hash digest seal',
  long_texts: 'name french english english_older',
  missing_addresses: 'path',
  network_announcements: 'subject subject_en text text_en counts',
  network_element_changes: 'element',
  network_element_months: 'month element days',
  network_incident_updates: 'text text_en',
  network_incidents: 'number title title_en elements meanwhile meanwhile_en statuses banner undo english_older client_id',
  network_mailing_recipients: 'mailing',
  network_mailings: 'key',
  network_monitor_events: 'detail',
  network_monitor_status: 'detail',
  network_monitors: 'element target expect token_hash',
  networks: 'name details',
  notes: 'note_date note note_en english_older',
  page_descriptions: 'path title title_en description description_en picture',
  pictures: 'key bytes',
  policy_versions: 'french english',
  push_keys: 'public_key private_key',
  recording_plays: 'session_hash',
  recording_settings: 'play download delete',
  recording_stray_files: 'storage_key',
  redirects: 'key from_address to_address',
  request_settings: 'settings',
  retention_periods: 'kind unit',
  sample_rows: 'place',
  update_windows: 'uid message message_en elements',
  visit_counts: 'key',
}

const textTypes = new Set(['string', 'json', 'array', 'custom', 'buffer'])

/** Columns that can hold what somebody typed or is: texts, lists, values and files, but no fixed words, numbers or times. */
const textColumns = (table: PgTable) =>
  getTableConfig(table).columns.filter(({ dataType, enumValues, columnType }) => {
    const kind = dataType.split(' ')[0] ?? ''
    return textTypes.has(kind) && !enumValues?.length && !/^Pg(?:Timestamp|Date)/.test(columnType)
  })

const columnsOf = (held: StoredData['held']): PgColumn[] => held.flatMap((one) => (is(one, PgTable) ? textColumns(one) : [one]))
const nameOf = (column: PgColumn) => `${getTableName(column.table)}.${column.name}`

/** Columns of the schema that are neither declared as kept data nor as impersonal, and declarations of what is not there. */
export function findUndeclared(tables: readonly PgTable[], kept: readonly StoredData[], none = impersonal) {
  const known = new Set([
    ...kept.flatMap(({ held }) => columnsOf(held).map(nameOf)),
    ...Object.entries(none).flatMap(([table, columns]) => columns.split(' ').map((column) => `${table}.${column}`)),
  ])
  const present = tables.flatMap((table) => textColumns(table).map(nameOf))
  return {
    undeclared: present.filter((name) => !known.has(name)),
    unknown: [...known].filter((name) => !present.includes(name)),
  }
}

const noEnd = 'no end: '

/** The tables of the assessment, in Markdown. */
export function describeStoredData(features: readonly ServerFeature[]): string {
  const ends = tableEndsOf(features)
  const endOf = (table: PgTable): string[] => {
    const end = ends.find(({ tables }) => tables.includes(table))
    if (end) {
      if ('kind' in end) return [`the period \`${end.kind}\``]
      return ['days' in end ? `${end.days} days` : `${noEnd}${end.reason.en}`]
    }
    // With the row that it belongs to.
    const parents = getTableConfig(table).foreignKeys.filter(({ onDelete }) => onDelete === 'cascade')
    const all = [...new Set(parents.flatMap((key) => endOf(key.reference().foreignTable)))]
    const ending = all.filter((one) => !one.startsWith(noEnd))
    return ending.length > 0 ? ending : all
  }
  const rows = features
    .flatMap(({ storedData = [] }) => storedData)
    .map(({ whose, what, purpose, seenBy, protection = '', held }) => {
      const tables = [...new Set(held.map((one) => (is(one, PgTable) ? one : one.table)))] as PgTable[]
      return [whose, what, purpose, seenBy, [...new Set(tables.flatMap(endOf))].join('; '), protection]
    })
  const columns = features.flatMap(({ storedData = [] }) => storedData.flatMap(({ held }) => columnsOf(held)))
  const byTable = Map.groupBy(columns, ({ table }) => getTableName(table))
  return [
    tableOf(['Whose', 'What', 'Why', 'Seen by', 'Ends with', 'Protected by'], rows),
    tableOf(
      ['Table', 'Columns'],
      [...byTable]
        .toSorted(([one], [other]) => one.localeCompare(other))
        .map(([table, all]) => [`\`${table}\``, all.map(({ name }) => `\`${name}\``).join(', ')]),
    ),
  ].join('\n\n')
}

const tableOf = (heads: string[], rows: string[][]) =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const [begin, end] = ['<!-- generated by scripts/privacy-assessment.ts -->', '<!-- end of the generated part -->']

/** The document with its generated part made anew. */
export function fillAssessment(document: string, features: readonly ServerFeature[]) {
  const [from, to] = [document.indexOf(begin), document.indexOf(end)]
  if (from < 0 || to < from) throw new Error('the marks of the generated part are missing')
  return `${document.slice(0, from + begin.length)}\n\n${describeStoredData(features)}\n\n${document.slice(to)}`
}
