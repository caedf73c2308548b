import { createHash, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { and, asc, eq } from 'drizzle-orm'
import { keepRefused, RefusedVersion } from '#src/features/content/server/refused-version.ts'
import { parseCsv } from '#src/lib/text/csv.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import { Conflict, Invalid, NotFound } from '#src/server/problems.ts'
import { checkElements } from '../../server/incident-statuses.ts'
import { lockNetworks } from '../../server/service.ts'
import { networks } from '../../server/table.ts'
import { elementName } from '../../values.ts'
import type { ImportResult, Monitor, MonitorChange, MonitorInput } from '../contract.ts'
import { monitorInput } from '../contract.ts'
import type { MonitorRow, StatusRow } from './outcomes.ts'
import { monitorStatus, networkMonitors } from './table.ts'
import { checkAddress, ForbiddenTarget, readHostAndPort } from './targets.ts'

export const mostMonitors = 1_000
const area = 'networks'
const auditId = (id: number) => `monitor/${id}`

export const signalPath = '/api/networks/signals/'
export const hashOfToken = (token: string) => createHash('sha256').update(token).digest('base64url')
const makeToken = () => randomBytes(32).toString('base64url')

const invalid = (path: string, message: string) => new Invalid('Some values are not valid.', [{ path, message }])

/** Throws `Invalid` for a target that is not of its kind, or an address that is never monitored. */
export function checkTarget({ kind, target }: Pick<Monitor, 'kind' | 'target'>) {
  const host = hostOf(kind, target)
  if (host === null) throw invalid('target', 'invalid')
  if (host !== '' && isIP(host) !== 0) {
    try {
      checkAddress(host, host)
    } catch (error) {
      if (!(error instanceof ForbiddenTarget)) throw error
      throw invalid('target', 'forbidden address')
    }
  }
}

/** The host of a target; null where it has not the form of its kind. */
function hostOf(kind: Monitor['kind'], target: string): string | null {
  if (kind === 'signal') return target === '' ? '' : null
  if (kind === 'tcp' || kind === 'certificate') return readHostAndPort(target)?.host ?? null
  if (kind === 'http') {
    const url = URL.canParse(target) ? new URL(target) : null
    // A password in an address would be stored in clear and shown.
    const isGood = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
    return isGood ? url.hostname.replace(/^\[|\]$/g, '') : null
  }
  const isHost = /^[\p{L}\p{N}_]([\p{L}\p{N}_.-]{0,252})$/u.test(target) || isIP(target) !== 0
  return isHost ? target : null
}

export const toRow = (input: MonitorInput) => ({
  networkId: input.id_reseau,
  element: input.element,
  kind: input.kind,
  target: input.target,
  intervalS: input.interval_s,
  timeoutMs: input.timeout_ms,
  failuresBefore: input.failures_before,
  expect: input.expect,
  action: input.then,
  enabled: input.enabled,
})

function toEntity(row: MonitorRow, status: StatusRow): Monitor {
  return {
    id_monitor: row.id,
    id_reseau: row.networkId,
    element: row.element,
    kind: row.kind,
    target: row.target,
    interval_s: row.intervalS,
    timeout_ms: row.timeoutMs,
    failures_before: row.failuresBefore,
    expect: row.expect,
    then: row.action,
    enabled: row.enabled,
    version: row.version,
    state: status.state,
    ms: status.ms,
    reason: status.reason,
    detail: status.detail,
    since: status.since?.toISOString() ?? null,
    checked_at: status.checkedAt?.toISOString() ?? null,
    failures: status.failures,
    id_incident: status.incidentId,
  }
}

/** What the audit log stores: what was set, not what was measured. */
function toAudit({ id, tokenHash, createdAt, updatedAt, ...row }: MonitorRow) {
  return { id_monitor: id, ...row, hasToken: tokenHash !== null, since: createdAt, changed: updatedAt }
}

export async function findMonitors(db: Database): Promise<Monitor[]> {
  const rows = await db
    .select()
    .from(networkMonitors)
    .innerJoin(monitorStatus, eq(monitorStatus.monitorId, networkMonitors.id))
    .leftJoin(networks, eq(networks.id, networkMonitors.networkId))
    .orderBy(asc(networks.name), asc(networkMonitors.element), asc(networkMonitors.id))
  return rows.map((row) => toEntity(row.network_monitors, row.network_monitor_status))
}

export async function findMonitorRow(db: Database, id: number): Promise<{ monitor: MonitorRow; status: StatusRow }> {
  const [row] = await db
    .select()
    .from(networkMonitors)
    .innerJoin(monitorStatus, eq(monitorStatus.monitorId, networkMonitors.id))
    .where(eq(networkMonitors.id, id))
  if (!row) throw new NotFound('This monitor does not exist.')
  return { monitor: row.network_monitors, status: row.network_monitor_status }
}

export async function findMonitor(db: Database, id: number): Promise<Monitor> {
  const { monitor, status } = await findMonitorRow(db, id)
  return toEntity(monitor, status)
}

/** A signal has its whole interval before its first one; anything else is checked at once. */
const firstCheck = ({ kind, interval_s }: Pick<MonitorInput, 'kind' | 'interval_s'>) =>
  new Date(Date.now() + (kind === 'signal' ? interval_s * 1_000 : 0))

/** Returns the monitor, with the token of a signal: only its hash is stored. */
export async function createMonitor(db: Database, author: Author, input: MonitorInput) {
  checkTarget(input)
  return db.transaction(async (tx) => {
    await lockNetworks(tx)
    await checkElements(tx, [{ id_reseau: input.id_reseau, nom: input.element }])
    return insertMonitor(tx, author, input)
  })
}

/** Within `lockNetworks`: two at once must not both be the last. */
async function insertMonitor(tx: Database, author: Author, input: MonitorInput) {
  if ((await tx.$count(networkMonitors)) >= mostMonitors)
    throw new Conflict(`There are ${mostMonitors} monitors, the most there may be.`)
  const token = input.kind === 'signal' ? makeToken() : null
  const [row] = await tx
    .insert(networkMonitors)
    .values({ ...toRow(input), tokenHash: token && hashOfToken(token) })
    .returning()
  if (!row) throw new Error('the monitor was not stored')
  await tx.insert(monitorStatus).values({ monitorId: row.id, nextAt: firstCheck(input) })
  await recordChange(tx, author, { area, action: 'create', entryId: auditId(row.id), after: toAudit(row) })
  return { monitor: await findMonitor(tx, row.id), token }
}

export async function changeMonitor(db: Database, author: Author, id: number, { version, ...input }: MonitorChange) {
  checkTarget(input)
  const change = async (tx: Database) => {
    await lockNetworks(tx)
    const [before] = await tx.select().from(networkMonitors).where(eq(networkMonitors.id, id)).for('update')
    if (!before) throw new NotFound('This monitor does not exist.')
    if (version !== undefined && version !== before.version) {
      const states = { before: toAudit(before), after: toAudit({ ...before, ...toRow(input) }) }
      const current = await findMonitor(tx, id)
      throw await RefusedVersion.of(tx, author, { area, entryId: auditId(id), ...states }, current)
    }
    const isMoved = before.networkId !== input.id_reseau || before.element !== input.element
    if (isMoved) await checkElements(tx, [{ id_reseau: input.id_reseau, nom: input.element }])
    const token = input.kind === 'signal' && before.tokenHash === null ? makeToken() : null
    const tokenHash = input.kind === 'signal' ? (token ? hashOfToken(token) : before.tokenHash) : null
    const [after] = await tx
      .update(networkMonitors)
      .set({ ...toRow(input), tokenHash, version: before.version + 1, updatedAt: new Date() })
      .where(eq(networkMonitors.id, id))
      .returning()
    if (!after) throw new Error('the monitor was not stored')
    const isOther = isMoved || before.kind !== after.kind || before.target !== after.target
    if (isOther || before.enabled !== after.enabled) await startAgain(tx, id, input)
    await recordChange(tx, author, {
      area,
      action: 'update',
      entryId: auditId(id),
      before: toAudit(before),
      after: toAudit(after),
    })
    return { monitor: await findMonitor(tx, id), token }
  }
  return db.transaction(change).catch(keepRefused(db))
}

/** What was known of another target, or before a pause, says nothing any more; an outage that it opened is the staff's to end. */
async function startAgain(tx: Database, id: number, input: MonitorInput) {
  const unknown = {
    state: 'unknown',
    result: 'unknown',
    since: null,
    failures: 0,
    downs: 0,
    reason: null,
    detail: '',
    ms: null,
  } as const
  await tx
    .update(monitorStatus)
    .set({ ...unknown, incidentId: null, alert: null, signalAt: null, nextAt: firstCheck(input) })
    .where(eq(monitorStatus.monitorId, id))
}

export async function deleteMonitor(db: Database, author: Author, id: number) {
  await db.transaction(async (tx) => {
    await lockNetworks(tx)
    const [before] = await tx.delete(networkMonitors).where(eq(networkMonitors.id, id)).returning()
    if (!before) throw new NotFound('This monitor does not exist.')
    await recordChange(tx, author, { area, action: 'delete', entryId: auditId(id), before: toAudit(before) })
  })
}

/** A new address for a signal, whose former one is void. */
export async function renewToken(db: Database, author: Author, id: number) {
  const token = makeToken()
  await db.transaction(async (tx) => {
    await lockNetworks(tx)
    const [row] = await tx
      .update(networkMonitors)
      .set({ tokenHash: hashOfToken(token), updatedAt: new Date() })
      .where(and(eq(networkMonitors.id, id), eq(networkMonitors.kind, 'signal')))
      .returning()
    if (!row) throw new NotFound('This monitor does not exist, or receives no signals.')
    await recordChange(tx, author, { area, action: 'renew address', entryId: auditId(id), after: toAudit(row) })
  })
  return token
}

export async function findByToken(db: Database, token: string): Promise<MonitorRow | undefined> {
  const [row] = await db
    .select()
    .from(networkMonitors)
    .where(eq(networkMonitors.tokenHash, hashOfToken(token)))
  return row
}

const numberColumns = ['interval_s', 'timeout_ms', 'failures_before', 'status', 'days_left']
const columns = new Set(['network', 'component', 'kind', 'target', 'text', 'then', ...numberColumns])

/** Creates paused monitors from a CSV file; a target that a component has already is left as it is. */
export async function importMonitors(db: Database, author: Author, csv: string, isDryRun: boolean): Promise<ImportResult> {
  const [head = [], ...rows] = parseCsv(csv.replace(/^\uFEFF/, ''))
  const names = head.map((name) => name.trim().toLowerCase())
  const unknown = names.find((name) => !columns.has(name))
  if (unknown !== undefined || !names.includes('network') || !names.includes('kind'))
    throw invalid('csv', unknown === undefined ? 'columns network and kind' : `unknown column: ${unknown.slice(0, 40)}`)
  const result: ImportResult = { dry_run: isDryRun, created: 0, known: 0, refused: [] }
  await db.transaction(async (tx) => {
    await lockNetworks(tx)
    const found = await tx.select().from(networks)
    const placeOf = (one: Pick<MonitorInput, 'id_reseau' | 'element' | 'kind' | 'target'>) =>
      JSON.stringify([one.id_reseau, one.element, one.kind, one.target])
    const known = new Set((await findMonitors(tx)).map(placeOf))
    for (const [index, row] of rows.entries()) {
      const cells = new Map(names.map((name, at) => [name, row[at]?.trim() ?? '']))
      const read = readRow(cells, found)
      if (typeof read === 'string') result.refused.push({ at: index + 2, reason: read })
      else if (known.has(placeOf(read))) result.known += 1
      else {
        known.add(placeOf(read))
        result.created += 1
        if (!isDryRun) await insertMonitor(tx, author, read)
      }
    }
  })
  return result
}

/** The monitor of a row, or why it is refused. */
function readRow(cells: ReadonlyMap<string, string>, found: readonly (typeof networks.$inferSelect)[]): MonitorInput | string {
  const cell = (name: string) => cells.get(name) ?? ''
  const network = found.find(({ id, name }) => name === cell('network') || String(id) === cell('network'))
  if (!network) return 'network'
  const element = cell('component')
  const detail = network.details.find((one) => element !== '' && [elementName(one), one.nom_en.trim()].includes(element))
  if (element !== '' && !detail) return 'component'
  const given = (name: string) => {
    const value = cell(name)
    return value === '' ? {} : { [name]: numberColumns.includes(name) ? Number(value) : value }
  }
  const parsed = monitorInput.safeParse({
    id_reseau: network.id,
    element: detail ? elementName(detail) : '',
    kind: cell('kind'),
    target: cell('target'),
    ...given('interval_s'),
    ...given('timeout_ms'),
    ...given('failures_before'),
    ...given('then'),
    expect: { ...given('status'), ...given('text'), ...given('days_left') },
    enabled: false,
  })
  if (!parsed.success) return parsed.error.issues[0]?.path.join('.') || 'target'
  try {
    checkTarget(parsed.data)
  } catch (error) {
    if (error instanceof Invalid) return error.errors?.[0]?.message === 'forbidden address' ? 'forbidden address' : 'target'
    throw error
  }
  return parsed.data
}
