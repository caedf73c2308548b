import { createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { email as emailSchema } from '#src/lib/schemas.ts'
import { foldText } from '#src/lib/text/plain-text.ts'
import { csvLine } from '#src/lib/text/escape.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import { recordErasure, writeErasures } from '#src/server/erasures/erasures.ts'
import type { Finding, PersonalDataKind } from '#src/server/personal-data.ts'
import { inOrderOfErasure } from '#src/server/personal-data.ts'
import type { App } from '#src/server/types.ts'
import type { ChosenFindings, Erasure, PersonalDataFound } from '../contract.ts'

/** So many candidates of a kind are listed, the newest; one that was listed is found again though others came since. */
const mostCandidates = 200
const mostFoundAgain = 1_000

const addressIn = (text: string) => emailSchema.safeParse(text).data?.toLowerCase() ?? null

/** All personal data of an email address, by kind, and whatever else names what was searched for. */
async function findPersonalData(app: App, text: string): Promise<PersonalDataFound[]> {
  const address = addressIn(text)
  const found = []
  for (const one of app.personalData) {
    const own = address === null ? [] : await one.find(app.db, address)
    const ownIds = new Set(own.map(({ id }) => id))
    const ids = ((await one.candidates?.search(app.db, text, mostCandidates + 1)) ?? []).filter((id) => !ownIds.has(id))
    const shown = ids.slice(0, mostCandidates)
    const others = shown.length > 0 ? ((await one.candidates?.describe(app.db, shown)) ?? []) : []
    const findings = [
      ...own.map((finding) => ({ ...finding, certain: !one.areCandidates, found_by: null })),
      ...others.map((finding) => ({ ...finding, certain: false, found_by: placeOf(finding, text) })),
    ]
    const canErase = one.erase !== null && (address !== null || one.candidates?.erase !== undefined)
    if (findings.length > 0) found.push({ kind: one.kind, erasable: canErase, has_more: ids.length > shown.length, findings })
  }
  return found
}

/** The first field with what was searched for, as a whole or its first word, and what stands around it. */
function placeOf({ fields }: Finding, text: string) {
  const wanted = [foldText(text), ...foldText(text).split(/\s+/), text.replaceAll(/\D/g, '').slice(-10)].filter(
    (one) => one.length > 1,
  )
  for (const word of wanted) {
    for (const [field, value] of Object.entries(fields)) {
      if (typeof value !== 'string') continue
      const isDigits = /^\d{7,}$/.test(word)
      const at = isDigits ? (value.replaceAll(/\D/g, '').includes(word) ? 0 : -1) : foldText(value).indexOf(word)
      if (at < 0) continue
      const from = Math.max(0, at - 30)
      const to = at + Math.max(word.length, isDigits ? value.length : 0) + 50
      const cut = value
        .slice(from, Math.min(to, from + 200))
        .replaceAll(/\s+/g, ' ')
        .trim()
      return { field, text: `${from > 0 ? '…' : ''}${cut}${to < value.length ? '…' : ''}` }
    }
  }
  return null
}

/** Each search is an event of the audit log: what was searched for is there as a keyed hash alone. */
export async function searchPersonalData(app: App, author: Author, text: string) {
  const found = await findPersonalData(app, text)
  await app.db.transaction((tx) => recordChange(tx, author, { area: 'privacy', action: 'search', entryId: proofOf(app, text) }))
  return found
}

type Person = { text: string; findings?: ChosenFindings | undefined }
type IsChosen = (kind: string, id: string, isCertain: boolean) => boolean

/** Whether a finding was chosen, by itself or with what it belongs to; without a choice whatever is certain is. */
function chooser(findings: ChosenFindings | undefined): IsChosen {
  const chosen = findings && new Set(findings.map(({ kind, id }) => `${kind} ${id}`))
  return (kind, id, isCertain) =>
    chosen ? chosen.has(`${kind} ${id}`) || chosen.has(`${kind} ${id.split('/', 1)[0]}`) : isCertain
}

/** The same as a file for the person; the export is recorded in the audit log. */
export async function exportPersonalData(
  app: App,
  author: Author,
  { text, findings, format }: Person & { format: 'json' | 'csv' },
) {
  const isChosen = chooser(findings)
  const found = (await findPersonalData(app, text)).flatMap((one) => {
    const chosen = one.findings.filter(({ id, certain }) => isChosen(one.kind, id, certain))
    return chosen.length > 0 ? [{ ...one, findings: chosen }] : []
  })
  await app.db.transaction((tx) =>
    recordChange(tx, author, { area: 'privacy', action: 'export personal data', entryId: proofOf(app, text) }),
  )
  if (format === 'json')
    return `${JSON.stringify({ searched: text, exported_at: new Date().toISOString(), data: found }, null, 2)}\n`
  const lines = found.flatMap((one) =>
    one.findings.flatMap(({ id, at, fields }) =>
      Object.entries(fields).map(([name, value]) => csvLine([one.kind, id, at, name, value === null ? null : String(value)])),
    ),
  )
  // The byte order mark makes spreadsheets read UTF-8.
  return `\ufeff${csvLine(['kind', 'id', 'at', 'field', 'value'])}${lines.join('')}`
}

/**
 * Erases what was chosen but what a legal hold keeps, names whatever is left, and records the proof in the audit log: the
 * counts, and what was searched for as a keyed hash. Conversations in progress end with it. Where nothing was erased there is
 * no proof.
 */
export async function erasePersonalData(app: App, author: Author, { text, findings }: Person): Promise<Erasure> {
  const address = addressIn(text)
  const isChosen = chooser(findings)
  const notices: ((app: App) => void)[] = []
  const afterCommit = (notify: (app: App) => void) => void notices.push(notify)
  // Before the transaction: a search of texts is too slow to hold up others in one.
  const named = await findNamed(app.db, app.personalData, text)
  const erasure = await app.db.transaction(async (tx) => {
    // Of two officers the second finds what the first left.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('erasure'))`)
    const found = await findIds(tx, app.personalData, address)
    const erased: Record<string, number> = {}
    for (const { kind, erase, areCandidates, candidates } of inOrderOfErasure(app.personalData)) {
      const own = new Set(found.get(kind))
      const others = (named.get(kind) ?? []).filter((id) => !own.has(id) && isChosen(kind, id, false))
      const ofPerson =
        address === null || !erase
          ? 0
          : await erase(tx, address, { isChosen: (id) => isChosen(kind, id, !areCandidates), afterCommit })
      const ofOthers = others.length > 0 && erase ? ((await candidates?.erase?.(tx, others, { afterCommit })) ?? 0) : 0
      if (ofPerson + ofOthers > 0) erased[kind] = ofPerson + ofOthers
    }
    const kept = [
      ...(address === null ? [] : await findKept(tx, app.personalData, address, isChosen, found)),
      ...(await findKeptCandidates(tx, app.personalData, isChosen, named, found)),
    ]
    if (Object.keys(erased).length === 0) return { proof: null, erased, kept }
    const proof = proofOf(app, text)
    const after = { erased, ...(kept.length > 0 && { kept: kept.length }) }
    await recordChange(tx, author, { area: 'privacy', action: 'erase personal data', entryId: proof, after })
    const left = new Set(kept.map(({ kind, id }) => `${kind} ${id}`))
    const gone = [...found, ...named].flatMap(([kind, ids]) => ids.map((id) => ({ kind, id })))
    await recordErasure(
      tx,
      address,
      gone.filter(({ kind, id }) => !left.has(`${kind} ${id}`)),
    )
    return { proof, erased, kept }
  })
  if (erasure.proof !== null) await writeErasures(app.db, app.config.dataDir)
  for (const notify of notices) notify(app)
  return erasure
}

/** What is there before the erasure: it says what was erased, and names candidates, which only deleted rows lead to. */
async function findIds(tx: Database, kinds: readonly PersonalDataKind[], address: string | null) {
  const found = new Map<string, string[]>()
  if (address === null) return found
  for (const { kind, find } of kinds) found.set(kind, [...new Set((await find(tx, address)).map(({ id }) => id))])
  return found
}

/** Ids of what names the text, by kind: at least what a search lists. */
async function findNamed(db: Database, kinds: readonly PersonalDataKind[], text: string) {
  const named = new Map<string, string[]>()
  for (const { kind, candidates } of kinds) if (candidates) named.set(kind, await candidates.search(db, text, mostFoundAgain))
  return named
}

/** Candidates that are still there: not chosen, or kept by a hold or another rule. */
async function findKeptCandidates(
  tx: Database,
  kinds: readonly PersonalDataKind[],
  isChosen: IsChosen,
  named: ReadonlyMap<string, string[]>,
  found: ReadonlyMap<string, string[]>,
) {
  const kept: Erasure['kept'] = []
  for (const { kind, erase, candidates, keptReason = 'retained' } of kinds) {
    const own = new Set(found.get(kind))
    const ids = (named.get(kind) ?? []).filter((id) => !own.has(id))
    const left = ids.length > 0 ? ((await candidates?.describe(tx, ids)) ?? []) : []
    for (const { id, fields } of left.filter((one) => ids.includes(one.id))) {
      const isHeld = fields['on_hold'] === true && isChosen(kind, id, false)
      const reason = erase === null || isChosen(kind, id, false) ? keptReason : 'not chosen'
      kept.push({ kind, id, reason: isHeld ? 'legal hold' : reason })
    }
  }
  return kept
}

async function findKept(
  tx: Database,
  kinds: readonly PersonalDataKind[],
  address: string,
  isChosen: IsChosen,
  before: ReadonlyMap<string, string[]>,
) {
  const kept: Erasure['kept'] = []
  for (const { kind, erase, find, findHeld, areCandidates, keptReason = 'retained' } of kinds) {
    const isWanted = (id: string) => isChosen(kind, id, !areCandidates)
    const held = new Set(await findHeld?.(tx, address))
    const unchosen = areCandidates ? (before.get(kind) ?? []).filter((id) => !isWanted(id)) : []
    const left = new Set([...held, ...(await find(tx, address)).map(({ id }) => id), ...unchosen])
    for (const id of left) {
      const reason = erase === null || isWanted(id) ? keptReason : 'not chosen'
      kept.push({ kind, id, reason: held.has(id) ? 'legal hold' : reason })
    }
  }
  return kept
}

/** A keyed hash: it can be recomputed from what was searched for, which cannot be recovered from it. */
function proofOf(app: App, text: string) {
  return createHmac('sha256', app.config.secret).update(`person\n${text.toLowerCase()}`).digest('hex').slice(0, 32)
}
