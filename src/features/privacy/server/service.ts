import { createHmac } from 'node:crypto'
import { csvLine } from '#src/lib/text/csv.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { App } from '#src/server/types.ts'
import type { HeldData } from '../contract.ts'

/** Everything held about an e-mail address, kind by kind. */
export async function findHeldData(app: App, email: string): Promise<HeldData[]> {
  const address = email.toLowerCase()
  const held = []
  for (const { kind, find, erase } of app.personalData) {
    const findings = await find(app.db, address)
    if (findings.length > 0) held.push({ kind, erasable: erase !== null, findings })
  }
  return held
}

/** The same as a file for the person; that it was made is in the journal. */
export async function exportHeldData(app: App, author: Author, email: string, format: 'json' | 'csv') {
  const held = await findHeldData(app, email)
  await app.db.transaction((tx) =>
    recordChange(tx, author, { area: 'privacy', action: 'export personal data', entryId: proofOf(app, email) }),
  )
  if (format === 'json') return `${JSON.stringify({ email, exported_at: new Date().toISOString(), data: held }, null, 2)}\n`
  const lines = held.flatMap(({ kind, findings }) =>
    findings.flatMap(({ id, at, fields }) =>
      Object.entries(fields).map(([name, value]) => csvLine([kind, id, at, name, value === null ? null : String(value)])),
    ),
  )
  // The mark at the start makes spreadsheets read UTF-8.
  return `\ufeff${csvLine(['kind', 'id', 'at', 'field', 'value'])}${lines.join('')}`
}

/** Erases what may be erased, with its proof in the journal: how much of what, and the address as a keyed hash. */
export async function eraseHeldData(app: App, author: Author, email: string) {
  const address = email.toLowerCase()
  const proof = proofOf(app, email)
  const erased: Record<string, number> = {}
  await app.db.transaction(async (tx) => {
    for (const { kind, erase } of app.personalData) {
      if (erase) erased[kind] = await erase(tx, address)
    }
    await recordChange(tx, author, { area: 'privacy', action: 'erase personal data', entryId: proof, after: { erased } })
  })
  return { proof, erased }
}

/** Whoever knows the address can have it computed again; from the hash nobody finds the address. */
function proofOf(app: App, email: string) {
  return createHmac('sha256', app.config.secret).update(`person\n${email.toLowerCase()}`).digest('hex').slice(0, 32)
}
