import { and, eq, isNotNull, ne, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import { translator } from '#src/lib/language/texts.ts'
import type { Published } from '#src/server/audit-log/published.ts'
import { publishLastHash } from '#src/server/audit-log/published.ts'
import type { App } from '#src/server/types.ts'
import { groups } from '#src/features/people/groups/server/table.ts'
import { users } from '#src/features/people/users/server/table.ts'
import { hashMailTexts } from '../texts.ts'

/**
 * Lets the last hash of the journal leave the database: into the log, into `DATA_DIR` and its backups, and to the
 * administrators by mail. Who rewrites the journal or cuts its end afterwards would have to change those too.
 */
export async function publishJournalHash(app: App) {
  const published = await publishLastHash(app.db, app.config.dataDir)
  if (!published) return
  app.log.info(published, 'last hash of the journal')
  if (app.mailer.canSend) await mailAdministrators(app, published)
}

async function mailAdministrators(app: App, { at, line, hash }: Published) {
  const found = await app.db
    .selectDistinct({ email: users.email })
    .from(users)
    .innerJoin(groups, eq(groups.id, users.groupId))
    .where(
      and(
        eq(users.locked, false),
        isNotNull(users.passwordHash),
        ne(users.email, ''),
        eq(groups.enabled, true),
        sql`${groups.rights}->>'users' = 'administrator'`,
        sql`${groups.rights}->>'groups' = 'administrator'`,
      ),
    )
  const [fr, en] = [translator(hashMailTexts, 'fr'), translator(hashMailTexts, 'en')]
  const values = { company: company.name, day: at.slice(0, 10), line, hash }
  await app.db.transaction(async (tx) => {
    for (const { email } of found) {
      await app.mailer.enqueue(tx, {
        to: email,
        subject: `${fr('subject', values)} / ${en('subject', values)}`,
        body: `${fr('body', values)}\n\n---\n\n${en('body', values)}\n`,
      })
    }
  })
}
