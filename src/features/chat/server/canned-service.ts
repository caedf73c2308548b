import { asc } from 'drizzle-orm'
import { defineEntries } from '#src/features/content/server/entries.ts'
import { isUniqueViolation } from '#src/server/database/database.ts'
import { Invalid } from '#src/server/problems.ts'
import type { CannedInput, CannedReply } from '../contract.ts'
import { cannedPairs } from '../values.ts'
import { cannedReplies } from './table.ts'

const entries = defineEntries<typeof cannedReplies, CannedReply, CannedInput>({
  area: 'chat',
  kind: 'canned',
  table: cannedReplies,
  orderBy: [asc(cannedReplies.shortcut), asc(cannedReplies.id)],
  pairs: cannedPairs,
  toEntity: (row) => ({
    id_canned: row.id,
    shortcut: row.shortcut,
    reply: row.reply,
    reply_en: row.replyEn,
    created_at: row.createdAt.toISOString(),
    english_older: row.englishOlder,
    version: row.version,
  }),
  toRow: (input) => ({ shortcut: input.shortcut, reply: input.reply, replyEn: input.reply_en }),
})

export const cannedEntries: typeof entries = {
  ...entries,
  create: (...given) => refusingDouble(entries.create(...given)),
  update: (...given) => refusingDouble(entries.update(...given)),
  restore: (...given) => refusingDouble(entries.restore(...given)),
}

/** Two replies under one shortcut. */
async function refusingDouble<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new Invalid('Another canned response has this shortcut.', [{ path: 'shortcut', message: 'taken' }])
  }
}
