import { count, inArray, max, sql } from 'drizzle-orm'
import type { ImportColumn, Importer } from '#src/features/content/server/importing.ts'
import { checkBy, Refused } from '#src/features/content/server/importing.ts'
import type { Label } from '#src/lib/feature.ts'
import { locales } from '#src/lib/language/language.ts'
import type { Database } from '#src/server/database/database.ts'
import type { RedirectInput } from '../contract.ts'
import { redirectInput } from '../contract.ts'
import type { Pattern } from '../values.ts'
import { keyOf, parseFrom } from '../values.ts'
import type { RedirectTable, Rule } from './matching.ts'
import { createTable } from './matching.ts'
import { findService, mostRedirects, ruleOf } from './service.ts'
import { redirects } from './table.ts'

const columns: ImportColumn[] = [
  {
    name: 'from',
    label: { fr: 'Ancienne adresse', en: 'Old address' },
    others: ['source', 'source url', 'url source', 'old url', 'ancienne url', 'request', 'de'],
    isRequired: true,
  },
  {
    name: 'to',
    label: { fr: 'Destination', en: 'Destination' },
    others: ['target', 'target url', 'url cible', 'cible', 'new url', 'nouvelle url', 'vers', 'redirect to'],
  },
  { name: 'status', label: { fr: 'Code', en: 'Code' }, others: ['type', 'http code', 'action code', 'redirect type'] },
]

const known = { fr: 'Cette adresse est déjà redirigée.', en: 'This address is already redirected.' }
const taken = { fr: 'Le site a déjà une page à cette adresse.', en: 'The site already has a page at this address.' }
const full = {
  fr: `Le site a au plus ${mostRedirects.toLocaleString(locales.fr)} redirections. Supprimez celles qui ne servent plus.`,
  en: `The site has at most ${mostRedirects.toLocaleString(locales.en)} redirects. Delete those that are not used any more.`,
}
const nowhere = {
  fr: 'Destination : elle manque. Écrivez-la, ou écrivez 410 dans la colonne Code si la page n’existe plus.',
  en: 'Destination: missing. Write it, or write 410 in the column Code if the page is gone.',
}
const loop = { fr: 'Cette redirection mènerait à elle-même.', en: 'This redirect would lead to itself.' }

/** Exports of other sites write full addresses; their path is what is asked here. */
const pathOf = (text: string) =>
  URL.canParse(text) && /^https?:/i.test(text) ? new URL(text).pathname + new URL(text).search : text

/** A full address of this site, or of the one whose old address it stands beside, is a path of it. */
function ownTarget(to: string, site: string | undefined) {
  if (!site || !URL.canParse(to) || !URL.canParse(site)) return to
  const { protocol, host, pathname, search, hash } = new URL(to)
  return /^https?:$/.test(protocol) && host === new URL(site).host ? pathname + search + hash : to
}
const patternOf = (input: RedirectInput) => parseFrom(input.from) as Pattern

type Stored = { version: string; count: number; rules: RedirectTable; keys: Set<string> }

const forgottenAfterMs = 10_000
/** What is stored, as the batch before left it: to read 50,000 redirects for each hundred of a list takes most of an hour. */
let latest: Stored | null = null
let forgetting: NodeJS.Timeout | undefined

/** Changes with every change of the table. */
async function findVersion(db: Database) {
  const [found] = await db
    .select({ count: count(), id: max(redirects.id), at: sql<string | null>`max(${redirects.updatedAt})::text` })
    .from(redirects)
  return { version: JSON.stringify(found), count: found?.count ?? 0 }
}

async function readAll(db: Database): Promise<Stored> {
  const now = await findVersion(db)
  const rows = await db.select().from(redirects)
  return { ...now, rules: createTable(rows.flatMap(ruleOf)), keys: new Set(rows.map(({ key }) => key)) }
}

async function readStored(db: Database): Promise<Stored> {
  if (latest?.version !== (await findVersion(db)).version) latest = await readAll(db)
  clearTimeout(forgetting)
  forgetting = setTimeout(() => (latest = null), forgottenAfterMs).unref()
  return latest
}

/** By trial: the stored redirects and those that its earlier batches would have created. */
const tried = new WeakMap<object, Stored>()
async function readTried(db: Database, trial: object): Promise<Stored> {
  const stored = tried.get(trial) ?? (await readAll(db))
  tried.set(trial, stored)
  return stored
}

let lastId = 0
/** One that is not stored yet, with a number of its own. */
const toRule = ({ from, to, status }: RedirectInput): Rule => ({
  ...{ id: (lastId -= 1), from, to, status },
  pattern: parseFrom(from) as Pattern,
})

/** Adds a new redirect, unless it leads to itself. */
async function addUnlessLoop(rules: RedirectTable, rule: Rule) {
  const { path, isPrefix, query } = rule.pattern
  rules.add(rule)
  const asked = String(new URLSearchParams(query.map(([name, value]) => [name, value])))
  if (await rules.follow({ path: `${path}${isPrefix ? 'x' : ''}`, query: asked }, () => false)) return true
  rules.drop(rule)
  return false
}

/** Redirects of a list; other kinds of import write old addresses by the same writer. */
export const redirectImporter: Importer = {
  kind: 'redirects',
  label: { fr: 'Redirections', en: 'Redirects' },
  hint: {
    fr: 'CSV ou JSON Lines : ancienne adresse, destination, code (301, 302 ou 410)',
    en: 'CSV or JSON Lines: old address, destination, code (301, 302 or 410)',
  },
  accept: '.csv,.tsv,.txt,.jsonl,.ndjson',
  areas: ['company'],
  columns,
  toValues({ from = '', to = '', status = '' }) {
    const code = status.trim() === '' ? 301 : Number(status)
    return { from: pathOf(from.trim()), to: code === 410 ? null : ownTarget(to.trim(), from.trim()), status: code }
  },
  identify: ({ from = '' }) => from.trim(),
  nameOf: ({ from = '' }) => from.trim(),
  writers: {
    redirects: {
      area: 'company',
      label: { fr: 'redirections', en: 'redirects' },
      path: '/admin/redirects',
      async check(values, { db, config }) {
        const given = values as RedirectInput
        if (!given.to && given.status !== 410) throw new Refused(nowhere)
        const to = given.to && ownTarget(given.to, config.publicUrl)
        const input = checkBy(redirectInput, { ...given, to }, columns)
        if (await findService(db)?.isTaken(patternOf(input))) throw new Refused(taken)
        return input
      },
      async findTaken(db, values, trial) {
        const stored = trial ? await readTried(db, trial) : await readStored(db)
        const { rules, keys } = stored
        const added: { rule: Rule; key: string }[] = []
        const found: (Label | null)[] = []
        for (const input of values as RedirectInput[]) {
          const rule = toRule(input)
          const key = keyOf(rule.pattern)
          if (keys.has(key) || added.some((one) => one.key === key)) found.push(known)
          else if (stored.count + added.length >= mostRedirects) found.push(full)
          else if (await addUnlessLoop(rules, rule)) {
            added.push({ rule, key })
            found.push(null)
          } else found.push(loop)
        }
        if (trial) {
          stored.count += added.length
          for (const { key } of added) keys.add(key)
        } else for (const { rule } of added) rules.drop(rule)
        return found
      },
      async create(tx, values) {
        const inputs = values as RedirectInput[]
        const stored = await readStored(tx)
        if (stored.count + inputs.length > mostRedirects) throw new Refused(full)
        // What fails leaves half of it behind; only a whole batch is remembered.
        latest = null
        for (const input of inputs) if (!(await addUnlessLoop(stored.rules, toRule(input)))) throw new Refused(loop)
        const rows = await tx
          .insert(redirects)
          .values(inputs.map((one) => ({ key: keyOf(patternOf(one)), from: one.from, to: one.to, status: one.status })))
          .returning({ id: redirects.id, key: redirects.key })
        for (const { key } of rows) stored.keys.add(key)
        latest = { ...stored, ...(await findVersion(tx)) }
        return rows.map(({ id }) => id)
      },
      async remove(tx, ids) {
        await tx.delete(redirects).where(inArray(redirects.id, ids))
      },
      async findMarks(tx, ids) {
        const rows = await tx
          .select({ id: redirects.id, version: redirects.version })
          .from(redirects)
          .where(inArray(redirects.id, ids))
        return new Map(rows.map(({ id, version }) => [id, String(version)]))
      },
      async findNames(db, ids) {
        const rows = await db.select({ id: redirects.id, from: redirects.from }).from(redirects).where(inArray(redirects.id, ids))
        return new Map(rows.map(({ id, from }) => [id, from]))
      },
    },
  },
}
