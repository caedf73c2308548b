import { asc } from 'drizzle-orm'
import { defineContent } from '#src/features/content/server/content.ts'
import { isUniqueViolation } from '#src/server/database/database.ts'
import { Invalid } from '#src/server/problems.ts'
import type { CannedInput, CannedReply } from '../contract.ts'
import { cannedInput } from '../contract.ts'
import { chat as feature } from '../feature.ts'
import { cannedPairs } from '../values.ts'
import { cannedReplies } from './table.ts'

export const cannedContent = defineContent<typeof cannedReplies, CannedReply, CannedInput>({
  entry: feature.entries[1],
  isInternal: true,
  input: cannedInput,
  idKey: 'id_canned',
  nameOf: (canned) => canned.shortcut,
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
  /** Two responses under one shortcut. */
  explain: (error) =>
    isUniqueViolation(error) ? new Invalid('Another reply has this shortcut.', [{ path: 'shortcut', message: 'taken' }]) : error,
})
