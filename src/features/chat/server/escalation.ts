import { and, eq, gt, isNull, lt, ne, or } from 'drizzle-orm'
import { translator } from '#src/lib/language/texts.ts'
import { isolateDirection } from '#src/lib/text/plain-text.ts'
import type { Database } from '#src/server/database/database.ts'
import { logger } from '#src/server/log.ts'
import type { App } from '#src/server/types.ts'
import { groups, users } from '#src/features/people/server/table.ts'
import { hasRight } from '#src/lib/rights.ts'
import { mailTexts } from './mail-texts.ts'
import type { StaffNamespace } from './namespaces.ts'
import type { ChatRow } from './service.ts'
import { findChatSettings } from './settings.ts'
import { chats } from './table.ts'
import { findReachableTechnicians } from './availability.ts'

const tickMs = 5_000
const minuteMs = 60_000

/**
 * For a chat that nobody claims: notifies the consoles, then mails the technicians. The mail depends on the job queue
 * and on the chat's own row, so that a restart neither loses nor repeats it.
 */
export function watchUnanswered(app: App, staff: StaffNamespace) {
  const notified = new Map<number, number>()
  const timer = setInterval(() => {
    notifyUnanswered(app.db, staff, notified).catch((error: unknown) =>
      logger.warn({ err: error }, 'the consoles were not notified of an unanswered chat'),
    )
  }, tickMs)
  app.addHook('preClose', async () => clearInterval(timer))
  app.queue.schedule('chat-escalation', '* * * * *', async () => {
    const written = await mailUnanswered(app, staff)
    if (written > 0) logger.info({ chats: written }, 'technicians were mailed about unanswered chats')
  })
}

/**
 * Notifies every console of this instance of the chats that wait longer than the settings allow, once each time that they
 * come into the queue (`notified`: since when they were in it).
 */
export async function notifyUnanswered(db: Database, staff: StaffNamespace, notified: Map<number, number>, now = new Date()) {
  if (staff.sockets.size === 0) return
  const { escalation_notification_minutes: minutes } = await findChatSettings(db)
  const waiting = await db.select({ id: chats.id, since: chats.waitingSince }).from(chats).where(waitsSince(now, minutes))
  for (const { id, since } of waiting) {
    if (notified.get(id) !== since.getTime()) staff.local.emit('staff:unanswered', { id })
    notified.set(id, since.getTime())
  }
}

/** Mails the available technicians, or all where none is; once a chat. Returns the number of chats. */
export async function mailUnanswered(app: App, staff: StaffNamespace, now = new Date()) {
  const { escalation_mail_minutes: minutes } = await findChatSettings(app.db)
  const available = findReachableTechnicians(staff)
  return app.db.transaction(async (tx) => {
    const waiting = await tx
      .update(chats)
      .set({ escalatedAt: now })
      .where(and(waitsSince(now, minutes), isNull(chats.escalatedAt)))
      .returning()
    if (waiting.length === 0) return 0
    const technicians = await findTechnicians(tx)
    const there = technicians.filter((one) => available.some(({ id_user }) => id_user === one.id))
    for (const chat of waiting) {
      for (const { email } of there.length > 0 ? there : technicians) {
        await app.mailer.enqueue(tx, { to: email, ...writeEscalation(chat, app.config.publicUrl, now) })
      }
    }
    return waiting.length
  })
}

const maxWaitMs = 24 * 60 * minuteMs

/** In the queue for so many minutes, and for a day at most, with a visitor who is there. */
function waitsSince(now: Date, minutes: number) {
  return and(
    eq(chats.status, 'waiting'),
    isNull(chats.goneAt),
    or(
      lt(chats.waitingSince, new Date(now.getTime() - minutes * minuteMs)),
      // Another clock was wrong: how long the visitor has waited is not known, and until then would be too long.
      gt(chats.waitingSince, new Date(now.getTime() + minuteMs)),
    ),
    gt(chats.waitingSince, new Date(now.getTime() - maxWaitMs)),
  )
}

async function findTechnicians(tx: Database) {
  const rows = await tx
    .select({ id: users.id, email: users.email, rights: groups.rights })
    .from(users)
    .innerJoin(groups, eq(groups.id, users.groupId))
    .where(and(eq(users.locked, false), eq(groups.enabled, true), ne(users.email, '')))
  return rows.filter(({ rights }) => hasRight(rights, 'chat', 'read_write'))
}

/** French, then English: the technician's language is not known. */
function writeEscalation(chat: ChatRow, publicUrl: string | undefined, now: Date) {
  const [fr, en] = [translator(mailTexts, 'fr'), translator(mailTexts, 'en')]
  const values = {
    name: [chat.clientName, chat.clientBusiness].filter(Boolean).map(isolateDirection).join(', '),
    minutes: Math.floor((now.getTime() - chat.waitingSince.getTime()) / minuteMs),
    page: chat.page || '/',
    address: publicUrl ? `${publicUrl}/admin/chat?chat=${chat.id}` : '/admin/chat',
  }
  return {
    subject: `${fr('unansweredSubject', values)} / ${en('unansweredSubject', values)}`,
    body: `${fr('unanswered', values)}\n\n---\n\n${en('unanswered', values)}\n`,
  }
}
