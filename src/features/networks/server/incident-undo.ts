import { and, eq, gt, isNotNull, isNull } from 'drizzle-orm'
import { noteContent } from '#src/features/notes/server/service.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import { readTime } from '#src/server/database/database.ts'
import { Conflict, NotFound } from '#src/server/problems.ts'
import type { UndoableStep } from '../contract.ts'
import type { IncidentPhase } from '../values.ts'
import { undoMs } from '../values.ts'
import type { UpdateRow } from './incident-list.ts'
import { findUpdates } from './incident-list.ts'
import { setBack } from './incident-statuses.ts'
import type { IncidentContext } from './incidents.ts'
import { lock, store, transact } from './incidents.ts'
import { countAudience, networksOf } from './mailings.ts'
import { incidentUpdates, networkIncidents } from './table.ts'

/** Steps that can still be undone: those of one person, or all. */
export async function findUndoable(db: Database, userId: number | null, all: boolean): Promise<UndoableStep[]> {
  const rows = await db.select().from(networkIncidents).where(isNotNull(networkIncidents.undo))
  if (rows.length === 0) return []
  const now = (await readTime(db)).getTime()
  const open = rows.flatMap(({ undo, ...row }) =>
    undo && Date.parse(undo.until) > now && (all || (undo.by !== null && undo.by === userId)) ? [{ ...row, undo }] : [],
  )
  const updates = await findUpdates(
    db,
    open.map(({ id }) => id),
  )
  const isWaiting = ({ mailsAt, mailedAt }: UpdateRow) => mailsAt !== null && mailedAt === null
  const counts = new Map<number, number>()
  for (const { id, elements } of open) {
    if (!updates.some((update) => update.incidentId === id && isWaiting(update))) continue
    const { fr, en } = await countAudience(db, { topic: 'outages', networks: networksOf(elements) })
    counts.set(id, fr + en)
  }
  return open.map(({ id, title, titleEn, undo }) => ({
    id_incident: id,
    title,
    title_en: titleEn,
    at: new Date(Date.parse(undo.until) - undoMs).toISOString(),
    undo_until: undo.until,
    mails: counts.get(id) ?? 0,
    banner: undo.banner === 'put',
    note: undo.note !== null,
  }))
}

/** The mails of the last step leave at once; it can no longer be undone. */
export async function sendWaitingMails(context: IncidentContext, author: Author, id: number) {
  return transact(context, async (inner) => {
    const { db } = inner
    const row = await lock(db, id)
    const now = await readTime(db)
    const isWaiting = and(isNotNull(incidentUpdates.mailsAt), isNull(incidentUpdates.mailedAt), gt(incidentUpdates.mailsAt, now))
    const waiting = await db
      .update(incidentUpdates)
      .set({ mailsAt: now })
      .where(and(eq(incidentUpdates.incidentId, id), isWaiting))
      .returning({ id: incidentUpdates.id })
    if (row.draft || waiting.length === 0) throw new Conflict('No email of this incident is waiting.')
    for (const update of waiting) await inner.planMails(db, update.id, now)
    return store(inner, author, row, { undo: null })
  })
}

/** The last step of an incident, as long as it can be undone. */
export async function undoIncident(context: IncidentContext, author: Author, id: number) {
  return transact(context, async (inner) => {
    const { db, emergencyNotice } = inner
    const row = await lock(db, id)
    const { undo } = row
    if (!undo || Date.parse(undo.until) < (await readTime(db)).getTime()) throw new Conflict('This can no longer be undone.')
    const { before } = undo
    // Whoever saves the note locks it before the audit log, so it comes before anything that is recorded here.
    if (undo.note) await noteContent.remove(inner, author, undo.note).catch(ignoreMissing)
    // What was published may have got other components since.
    const applied = before.draft ? row.statuses : undo.applied
    await setBack(db, author, row.id, applied, new Date(Date.parse(undo.until) - undoMs))
    if (undo.update) await db.delete(incidentUpdates).where(eq(incidentUpdates.id, undo.update))
    else await db.update(incidentUpdates).set({ mailsAt: null }).where(eq(incidentUpdates.incidentId, row.id))
    let banner = row.banner
    if (undo.banner === 'put') {
      await emergencyNotice?.takeBack(inner, author, row.banner)
      banner = null
    }
    if (undo.banner === 'taken') {
      const [first] = await findUpdates(db, [row.id])
      const texts = { title: row.title, title_en: row.titleEn, text: first?.text ?? '', text_en: first?.textEn ?? '' }
      banner = (await emergencyNotice?.put(inner, author, texts)) ?? null
    }
    return store(inner, author, row, {
      draft: before.draft,
      number: before.number,
      phase: before.phase as IncidentPhase,
      startedAt: new Date(before.started_at),
      resolvedAt: before.resolved_at ? new Date(before.resolved_at) : null,
      nextUpdateAt: before.next_update_at ? new Date(before.next_update_at) : null,
      statuses: before.set,
      banner,
      undo: null,
    })
  })
}

function ignoreMissing(error: unknown) {
  if (!(error instanceof NotFound)) throw error
}
