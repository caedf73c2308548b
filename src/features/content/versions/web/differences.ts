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

type NameValue = (field: string, value: string) => string
type Options = {
  order?: readonly string[]
  richText?: readonly string[]
  /** The word for a code, such as a status. */
  nameValue?: NameValue
}

/**
 * The fields that differ between two states of an entry, as text; for a creation or deletion, all that are not empty. `order`
 * is the order of the form fields; `richText` names fields compared as plain text.
 */
export function findDifferences(
  before: unknown,
  after: unknown,
  { order = [], richText = [], nameValue = (_field, value) => value }: Options = {},
): Difference[] {
  const rich = new Set(richText)
  const one = fieldsOf(before)
  const other = fieldsOf(after)
  const names = [...new Set([...order, ...Object.keys(one), ...Object.keys(other)])].filter(
    (name) => !silent.has(name) && !isOwnId(name),
  )
  return names
    .map((field) => {
      const read = (value: unknown) => {
        const text = textOf(value, field, nameValue)
        return rich.has(field) ? textOfHtml(text) : text
      }
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

/** Formats a value of a field as short text. */
function textOf(value: unknown, field: string, nameValue: NameValue): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return jsonLines(value, field, nameValue) ?? nameValue(field, value)
  const oneOf = (one: unknown, key: string) => (isPlain(one) ? nameValue(key, String(one ?? '')) : textOf(one, key, nameValue))
  if (Array.isArray(value)) {
    const lineOf = (one: object) => Object.entries(one).map(([key, part]) => oneOf(part, key))
    return value
      .map((one) =>
        isPlain(one)
          ? oneOf(one, field)
          : lineOf(one as object)
              .filter(Boolean)
              .join(' · '),
      )
      .join('\n')
  }
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, one]) => `${nameValue(`${field}.key`, key)} : ${oneOf(one, field)}`)
      .join('\n')
  return String(value)
}

/** The API sends `details` of a network as a JSON string (R-98). */
function jsonLines(text: string, field: string, nameValue: NameValue) {
  if (!text.startsWith('[')) return null
  try {
    return textOf(JSON.parse(text), field, nameValue)
  } catch {
    return null
  }
}

function isPlain(value: unknown) {
  return value === null || typeof value !== 'object'
}
