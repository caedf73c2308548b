import { diffWordsWithSpace } from 'diff'
import { textOfHtml } from '#src/lib/text/html-text.ts'
import { fieldsOf } from '../values.ts'

export type Difference = { field: string; before: string; after: string }

/** Fields shown elsewhere in the event, or without meaning for a reader. */
const silent = new Set([
  'version',
  'english_older',
  'english_reviewed',
  'state',
  'created_at',
  'updated_at',
  'hash',
  'user_count',
])

/**
 * The fields that differ between two states of an entry, as text; for a creation or deletion, all that are not empty. `order`
 * is the order of the form fields; `richText` names fields compared as plain text.
 */
export function findDifferences(
  before: unknown,
  after: unknown,
  { order = [], richText = [] }: { order?: readonly string[]; richText?: readonly string[] } = {},
): Difference[] {
  const rich = new Set(richText)
  const one = fieldsOf(before)
  const other = fieldsOf(after)
  const names = [...new Set([...order, ...Object.keys(one), ...Object.keys(other)])].filter(
    (name) => !silent.has(name) && !isOwnId(name),
  )
  return names
    .map((field) => {
      const read = (value: unknown) => (rich.has(field) ? textOfHtml(textOf(value)) : textOf(value))
      return { field, before: read(one[field]), after: read(other[field]) }
    })
    .filter((difference) => difference.before !== difference.after)
}

/** Above this many changed words the diff takes too long to compute. */
const maxEditLength = 500

/** The difference between two texts, word by word. */
export function diffTexts(before: string, after: string) {
  const pieces = diffWordsWithSpace(before, after, { maxEditLength }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ]
  return pieces.filter(({ value }) => value !== '')
}

/** The entry's own id is shown already; `id_group` of a user is a field. */
function isOwnId(name: string) {
  return name.startsWith('id_') && name !== 'id_group'
}

/** Formats a value as short text. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return jsonLines(value) ?? value
  if (Array.isArray(value))
    return value.map((one) => (isPlain(one) ? String(one) : Object.values(one as object).join(' · '))).join('\n')
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, one]) => `${key} : ${textOf(one)}`)
      .join('\n')
  return String(value)
}

/** The API sends `details` of a network as a JSON string. */
function jsonLines(text: string) {
  if (!text.startsWith('[')) return null
  try {
    return textOf(JSON.parse(text))
  } catch {
    return null
  }
}

function isPlain(value: unknown) {
  return value === null || typeof value !== 'object'
}
