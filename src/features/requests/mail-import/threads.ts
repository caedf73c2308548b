import { createHash } from 'node:crypto'
import { addressParser, decodeWords } from 'postal-mime'
import type { FoundMail } from './mail-files.ts'

export type Person = { name: string; email: string }
/** A mail by its head. */
export type MailHead = {
  /** Position in the source. */
  at: number
  id: string
  from: Person
  to: Person | null
  subject: string
  date: string | null
  mail: Pick<FoundMail, 'size' | 'read'>
}
/** A thread with its mails, the oldest first. */
export type Thread = { customer: Person | null; mails: MailHead[] }

const fieldMax = 2_000
const referencesMax = 50

/** V8 cuts a text without copying it: whatever is cut from a head would hold the whole head in memory. */
const copy = (text: string) => Buffer.from(text).toString()

/** Fields of a head, unfolded; the first of each name. */
function readFields(head: Buffer) {
  const text = head.toString('latin1')
  const end = /\r?\n\r?\n/.exec(text)?.index ?? text.length
  const fields = new Map<string, string>()
  for (const field of text.slice(0, end).split(/\r?\n(?![ \t])/)) {
    const colon = field.indexOf(':')
    if (colon < 1) continue
    const name = field.slice(0, colon).trim().toLowerCase()
    if (!fields.has(name))
      fields.set(
        name,
        field
          .slice(colon + 1)
          .replaceAll(/\r?\n/g, '')
          .trim(),
      )
  }
  return fields
}

/** Text of a field: bytes of UTF-8, or words of RFC 2047. */
const decode = (value: string) => {
  const bytes = Buffer.from(value, 'latin1')
  const utf8 = bytes.toString('utf8')
  return decodeWords(utf8.includes('\uFFFD') ? value : utf8)
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .toWellFormed()
}

function personOf(field: string | undefined): Person | null {
  const [first] = addressParser((field ?? '').slice(0, fieldMax), { flatten: true })
  const email = first?.address?.trim() ?? ''
  return email === '' ? null : { name: copy(decode(first?.name ?? '').slice(0, 200)), email: copy(email) }
}

const idsOf = (field: string | undefined) =>
  ((field ?? '').match(/<[^<>\s]{3,500}>/g) ?? []).slice(-referencesMax).map((id) => copy(id))

function dateOf(field: string | undefined) {
  const at = new Date((field ?? '').replace(/\([^()]*\)/g, '').trim())
  const year = at.getUTCFullYear()
  return field && year >= 1980 && at.getTime() <= Date.now() + 86_400_000 ? at.toISOString() : null
}

/** Written by a machine or a list, or thrown away: never the mail of a customer. */
function reasonToLeaveOut(fields: ReadonlyMap<string, string>) {
  const field = (name: string) => fields.get(name) ?? ''
  if (/\b(?:spam|trash|corbeille|pourriel|drafts?|brouillons?)\b/i.test(field('x-gmail-labels'))) return 'bin'
  const submitted = field('auto-submitted')
  const isAutomatic =
    [...fields.keys()].some((name) => name.startsWith('list-') || name === 'x-autoreply' || name === 'x-autorespond') ||
    /bulk|list|junk/i.test(field('precedence')) ||
    (submitted !== '' && !/^no\b/i.test(submitted)) ||
    /multipart\/report/i.test(field('content-type'))
  return isAutomatic ? 'automatic' : null
}

/** Sets of Message-IDs that belong together, by their first one. */
function createUnion() {
  const parents = new Map<string, string>()
  const find = (id: string): string => {
    let root = id
    for (let next = parents.get(root); next !== undefined && next !== root; next = parents.get(root)) root = next
    for (let at = id; at !== root;) {
      const next = parents.get(at) ?? root
      parents.set(at, root)
      at = next
    }
    return root
  }
  return {
    find,
    join(one: string, other: string) {
      parents.set(find(other), find(one))
    },
  }
}

const nobody = { name: '', email: '' }

/** Gathers mails in threads by `References` and `In-Reply-To`; only their heads stay in memory. */
export function createThreads(isStaff: (email: string) => boolean) {
  const union = createUnion()
  const heads: MailHead[] = []
  return {
    /** Why a mail is left out, or null where it was added. */
    add({ head, size, read }: FoundMail, at: number) {
      const fields = readFields(head)
      const leftOut = reasonToLeaveOut(fields)
      if (leftOut) return leftOut
      const own = idsOf(fields.get('message-id'))[0]
      // The same mail has the same head wherever it lies.
      const id = own ?? `<${createHash('sha256').update(head).update(String(size)).digest('base64url')}>`
      union.join(id, id)
      for (const reference of [...idsOf(fields.get('references')), ...idsOf(fields.get('in-reply-to'))]) union.join(id, reference)
      heads.push({
        ...{ at, id, from: personOf(fields.get('from')) ?? nobody, to: personOf(fields.get('to')) },
        ...{
          subject: copy(decode(fields.get('subject') ?? '').slice(0, 200)),
          date: dateOf(fields.get('date')),
          mail: { size, read },
        },
      })
      return null
    },
    get count() {
      return heads.length
    },
    /** In the order of their first mails. */
    list(): Thread[] {
      const sorted = heads.toSorted((one, other) => (one.date ?? '').localeCompare(other.date ?? '') || one.at - other.at)
      const threads = Map.groupBy(sorted, ({ id }) => union.find(id))
      return [...threads.values()].map((mails) => ({ mails, customer: findCustomer(mails, isStaff) }))
    },
  }
}

/** The first who wrote and is no staff, else the first that staff wrote to. */
function findCustomer(mails: readonly MailHead[], isStaff: (email: string) => boolean): Person | null {
  const writer = mails.find(({ from }) => from.email !== '' && !isStaff(from.email))
  if (writer) return writer.from
  return mails.find(({ to }) => to && !isStaff(to.email))?.to ?? null
}
