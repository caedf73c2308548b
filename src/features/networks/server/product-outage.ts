import { eq } from 'drizzle-orm'
import { company } from '#company/company.ts'
import { findAnnouncedSince } from '#src/features/updates/server/service.ts'
import { languages } from '#src/lib/language/language.ts'
import { defineTexts, translator } from '#src/lib/language/texts.ts'
import { logger } from '#src/server/log.ts'
import type { App } from '#src/server/types.ts'
import { nextNumber } from './incidents.ts'
import { incidentUpdates, networkIncidents, productBeats } from './table.ts'

/** A restart or an upgrade is no outage. */
const outageMs = 5 * 60_000
const beatMs = 60_000

const outageTexts = defineTexts({
  fr: {
    title: 'Site et clavardage de {company} inaccessibles',
    text: 'Notre site ne répondait pas. Il fonctionne de nouveau.',
  },
  en: {
    title: '{company} website and live chat unreachable',
    text: 'Our website did not respond. It works again.',
  },
})

/** Notes each minute that the product runs, and enters its own outage into the history when it comes back. */
export function startBeats(app: App) {
  const beat = (work: () => Promise<unknown>) =>
    work().catch((error: unknown) => logger.warn({ err: error }, 'the time of the product was not noted'))
  let timer: NodeJS.Timeout | undefined
  app.addHook('onListen', async () => {
    await beat(() => recordProductOutage(app))
    timer = setInterval(() => void beat(() => noteBeat(app)), beatMs)
  })
  app.addHook('preClose', async () => {
    clearInterval(timer)
    if (timer) await beat(() => noteBeat(app))
  })
}

const noteBeat = ({ db }: App, at = new Date()) =>
  db.insert(productBeats).values({ id: 1, at }).onConflictDoUpdate({ target: productBeats.id, set: { at } })

/** One instance of several enters it; announced maintenance is no outage, nor is that of a product without an address. */
export async function recordProductOutage(app: App, now = new Date()) {
  const { db, config, events } = app
  const isRecorded = await db.transaction(async (tx) => {
    const [last] = await tx.select().from(productBeats).where(eq(productBeats.id, 1)).for('update')
    await tx
      .insert(productBeats)
      .values({ id: 1, at: now })
      .onConflictDoUpdate({ target: productBeats.id, set: { at: now } })
    if (!last || !config.publicUrl || now.getTime() - last.at.getTime() < outageMs) return false
    const windows = await findAnnouncedSince(tx, last.at)
    const isAnnounced = windows.some(
      ({ startsAt, endsAt }) =>
        startsAt.getTime() <= last.at.getTime() + outageMs && endsAt.getTime() >= now.getTime() - outageMs,
    )
    if (isAnnounced) return false
    const [french, english] = languages.map((language) => translator(outageTexts, language))
    if (!french || !english) throw new Error('a language is missing')
    const values = { company: company.name }
    const [row] = await tx
      .insert(networkIncidents)
      .values({
        number: await nextNumber(tx, now),
        title: french('title', values),
        titleEn: english('title', values),
        severity: 'ERROR',
        phase: 'resolved',
        draft: false,
        source: 'monitor',
        elements: [],
        startedAt: last.at,
        resolvedAt: now,
      })
      .returning({ id: networkIncidents.id })
    if (!row) throw new Error('the outage was not stored')
    await tx
      .insert(incidentUpdates)
      .values({ incidentId: row.id, phase: 'resolved', text: french('text'), textEn: english('text'), at: now })
    return true
  })
  if (isRecorded) events.changed('networks')
  return isRecorded
}
