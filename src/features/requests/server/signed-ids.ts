import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { addressInLanguage } from '#src/lib/language/language.ts'
import type { Config } from '#src/server/config.ts'
import type { Database } from '#src/server/database/database.ts'
import { keyFor } from '#src/server/secrets/keys.ts'
import { requests } from './table.ts'

const signatureBytes = 16

function sign(db: Database, purpose: string, ...values: (string | number)[]) {
  return createHmac('sha256', keyFor(db, 'links'))
    .update([purpose, ...values].join('\n'))
    .digest()
    .subarray(0, signatureBytes)
}

/**
 * `Message-ID` of a mail that an entry leads to: `<AS-2026-000123.{entry}.{signature}@domain>`; `copy` numbers further mails of
 * the same entry. An answer to it finds its request, and nobody else can make one.
 */
export function signMessageId(db: Database, host: string, reference: string, entryId: number, copy = 0) {
  const entry = copy === 0 ? String(entryId) : `${entryId}-${copy}`
  return `<${reference}.${entry}.${sign(db, 'message id', reference, entry).toString('hex')}@${host}>`
}

const signedId = /\b((?:AS|CT|CL|CO)-\d{4}-\d{6,})\.(\d{1,10})(-\d{1,3})?\.([\da-f]{32})(?=@)/gi

/** References and entries of the ids in a header that this product signed, in their order; forged ones are left out. */
export function findSignedIds(db: Database, header: string) {
  return [...header.matchAll(signedId)].flatMap(([, reference = '', entry = '', copy = '', signature = '']) => {
    const expected = sign(db, 'message id', reference.toUpperCase(), entry + copy)
    const isOurs = timingSafeEqual(Buffer.from(signature, 'hex'), expected)
    return isOurs ? [{ reference: reference.toUpperCase(), entryId: Number(entry) }] : []
  })
}

type LinkRow = Pick<typeof requests.$inferSelect, 'id' | 'linkGeneration' | 'linkHash' | 'language'>

/** 128 bits, so that each mail can carry the link without the database storing the token. */
function tokenOf(db: Database, { id, linkGeneration }: Pick<LinkRow, 'id' | 'linkGeneration'>) {
  return sign(db, 'customer page', id, linkGeneration).toString('base64url')
}

export const hashToken = (token: string) => createHash('sha256').update(token).digest('base64url')

/** The hash of the first link of a request. */
export const hashLink = (db: Database, id: number) => hashToken(tokenOf(db, { id, linkGeneration: 1 }))

/** Makes the links of these requests lead to their pages, also after the secret of the product was changed. */
export async function storeLinks<Row extends LinkRow>(tx: Database, rows: readonly Row[]): Promise<Row[]> {
  const linked = rows.map((row) => ({ ...row, linkHash: hashToken(tokenOf(tx, row)) }))
  const changed = linked.filter(({ linkHash }, at) => linkHash !== rows[at]?.linkHash)
  if (changed.length === 0) return linked
  const [ids, hashes] = [changed.map(({ id }) => id), changed.map(({ linkHash }) => linkHash)]
  await tx.execute(sql`update ${requests} set link_hash = made.hash, link_made_at = ${new Date().toISOString()}
    from unnest(${sql.param(ids)}::int[], ${sql.param(hashes)}::text[]) as made(id, hash) where ${requests.id} = made.id`)
  return linked
}

/** Address of the customer's page; null where the product does not know its own address. */
export async function findPageAddress(tx: Database, config: Pick<Config, 'publicUrl'>, request: LinkRow) {
  await storeLinks(tx, [request])
  return pageAddressOf(tx, config, request)
}

/** Address of the customer's page, of a request whose link is stored. */
export function pageAddressOf(db: Database, { publicUrl }: Pick<Config, 'publicUrl'>, request: LinkRow) {
  if (!publicUrl) return null
  return addressInLanguage(`${publicUrl}${pagePathOf(db, request)}`, request.language === 'fr' ? null : request.language)
}

export async function findPagePath(tx: Database, request: LinkRow) {
  await storeLinks(tx, [request])
  return pagePathOf(tx, request)
}

/** Path of the customer's page, of a request whose link is stored. */
export const pagePathOf = (db: Database, request: LinkRow) => `/suivi/${tokenOf(db, request)}`

/** Ends the links that were given so far. */
export async function renewLink<Row extends LinkRow>(tx: Database, request: Row): Promise<Row> {
  const next = { ...request, linkGeneration: request.linkGeneration + 1 }
  const linkHash = hashToken(tokenOf(tx, next))
  await tx
    .update(requests)
    .set({ linkGeneration: next.linkGeneration, linkHash, linkMadeAt: new Date() })
    .where(eq(requests.id, request.id))
  return { ...next, linkHash }
}
