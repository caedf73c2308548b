import { desc, eq, sql } from 'drizzle-orm'
import sanitizeHtml from 'sanitize-html'
import type { Language } from '#src/lib/language/language.ts'
import type { Database } from '#src/server/database/database.ts'
import { NotFound } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import type { PageText, PolicyVersion } from '../contract.ts'
import { policyVersions as table } from './table.ts'

/** After a change, when other instances show it too: one that still has the former text would take it for a new version. */
const settledMs = 3_000

/** Stores each wording that visitors are shown from now on: at the start, and after each change. */
export function followPolicy(app: App, read: (language: Language) => Promise<PageText>) {
  let timer: NodeJS.Timeout | undefined
  const store = () =>
    storePolicyVersion(app.db, read).catch((error: unknown) => {
      app.log.error({ err: error }, 'the version of the policy was not stored')
    })
  app.addHook('onReady', store)
  app.events.onChanged((area) => {
    // Officer, periods and texts are of the company; opening hours of the chat.
    if (area !== 'company' && area !== 'chat') return
    clearTimeout(timer)
    timer = setTimeout(() => void store(), settledMs).unref()
  })
  app.addHook('onClose', () => clearTimeout(timer))
}

/** Stores what the policy says now, unless it is what the last version says. */
export async function storePolicyVersion(db: Database, read: (language: Language) => Promise<PageText>) {
  const [french, english] = await Promise.all([read('fr'), read('en')])
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('policy_versions'))`)
    const [last] = await tx.select().from(table).orderBy(desc(table.id)).limit(1)
    const isSame = last && textOf(last.french) === textOf(french) && textOf(last.english) === textOf(english)
    if (!isSame) await tx.insert(table).values({ french, english })
  })
}

const textOf = ({ title, lead, html }: PageText) => JSON.stringify([title, lead, html])

/** All versions with their dates, the newest first. */
export async function findPolicyVersions(db: Database): Promise<PolicyVersion[]> {
  const rows = await db.select({ id: table.id, since: table.since }).from(table).orderBy(desc(table.id))
  return rows.map(({ id, since }, index) => ({
    id_version: id,
    since: since.toISOString(),
    until: rows[index - 1]?.since.toISOString() ?? null,
  }))
}

/** The text of a version; `NotFound` where there is none. */
export async function readPolicyVersion(db: Database, version: number, language: Language) {
  const [row] = await db.select().from(table).where(eq(table.id, version))
  if (!row) throw new NotFound('There is no such version of the policy.')
  const text = language === 'fr' ? row.french : row.english
  return { ...text, html: clean(text.html) }
}

/** An import may have brought it from elsewhere: what Markdown makes of a long text stays. */
const clean = (html: string) =>
  sanitizeHtml(html, {
    allowedTags: [
      ...['h2', 'h3', 'h4', 'p', 'br', 'em', 'strong', 'del', 'code', 'a', 'ul', 'ol', 'li', 'time', 'blockquote', 'hr'],
      ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'div', 'section', 'details', 'summary'],
    ],
    allowedAttributes: { '*': ['id', 'class'], a: ['href', 'rel'], time: ['datetime'] },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowProtocolRelative: false,
    // As the texts are written.
    selfClosing: ['br', 'hr'],
    parser: { decodeEntities: true },
  })
