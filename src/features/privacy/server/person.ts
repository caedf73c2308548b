import { createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { csvLine } from '#src/lib/text/escape.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import { recordErasure, writeErasures } from '#src/server/erasures/erasures.ts'
import type { PersonalDataKind } from '#src/server/personal-data.ts'
import { inOrderOfErasure } from '#src/server/personal-data.ts'
import type { App } from '#src/server/types.ts'
import type { ChosenFindings, Erasure, PersonalDataFound } from '../contract.ts'

/** All personal data of an email address, by kind. */
async function findPersonalData(app: App, email: string): Promise<PersonalDataFound[]> {
  const address = email.toLowerCase()
  const found = []
  for (const { kind, find, erase, areCandidates } of app.personalData) {
    const findings = (await find(app.db, address)).map((finding) => ({ ...finding, certain: !areCandidates }))
    if (findings.length > 0) found.push({ kind, erasable: erase !== null, findings })
  }
  return found
}

/** Each search is an event of the audit log: what was searched for is there as a keyed hash alone. */
export async function searchPersonalData(app: App, author: Author, email: string) {
  const found = await findPersonalData(app, email)
  await app.db.transaction((tx) => recordChange(tx, author, { area: 'privacy', action: 'search', entryId: proofOf(app, email) }))
  return found
}

type Person = { email: string; findings?: ChosenFindings | undefined }
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
  { email, findings, format }: Person & { format: 'json' | 'csv' },
) {
  const isChosen = chooser(findings)
  const found = (await findPersonalData(app, email)).flatMap((one) => {
    const chosen = one.findings.filter(({ id, certain }) => isChosen(one.kind, id, certain))
    return chosen.length > 0 ? [{ ...one, findings: chosen }] : []
  })
  await app.db.transaction((tx) =>
    recordChange(tx, author, { area: 'privacy', action: 'export personal data', entryId: proofOf(app, email) }),
  )
  if (format === 'json') return `${JSON.stringify({ email, exported_at: new Date().toISOString(), data: found }, null, 2)}\n`
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
 * counts, and the address as a keyed hash. Conversations in progress end with it. Where nothing was erased there is no proof.
 */
export async function erasePersonalData(app: App, author: Author, { email, findings }: Person): Promise<Erasure> {
  const address = email.toLowerCase()
  const isChosen = chooser(findings)
  const notices: ((app: App) => void)[] = []
  const erasure = await app.db.transaction(async (tx) => {
    // Of two officers the second finds what the first left.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`erasure ${address}`}))`)
    const found = await findIds(tx, app.personalData, address)
    const erased: Record<string, number> = {}
    for (const { kind, erase, areCandidates } of inOrderOfErasure(app.personalData)) {
      const count = await erase?.(tx, address, {
        isChosen: (id) => isChosen(kind, id, !areCandidates),
        afterCommit: (notify) => void notices.push(notify),
      })
      if (count) erased[kind] = count
    }
    const kept = await findKept(tx, app.personalData, address, isChosen, found)
    if (Object.keys(erased).length === 0) return { proof: null, erased, kept }
    const proof = proofOf(app, email)
    const after = { erased, ...(kept.length > 0 && { kept: kept.length }) }
    await recordChange(tx, author, { area: 'privacy', action: 'erase personal data', entryId: proof, after })
    const left = new Set(kept.map(({ kind, id }) => `${kind} ${id}`))
    const gone = [...found].flatMap(([kind, ids]) => ids.map((id) => ({ kind, id })))
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
async function findIds(tx: Database, kinds: readonly PersonalDataKind[], address: string) {
  const found = new Map<string, string[]>()
  for (const { kind, find } of kinds) found.set(kind, [...new Set((await find(tx, address)).map(({ id }) => id))])
  return found
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

/** A keyed hash: it can be recomputed from the address, and the address cannot be recovered from it. */
function proofOf(app: App, email: string) {
  return createHmac('sha256', app.config.secret).update(`person\n${email.toLowerCase()}`).digest('hex').slice(0, 32)
}
