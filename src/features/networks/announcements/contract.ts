import { z } from 'zod'
import { id, limits, requiredLine, requiredText } from '#src/lib/schemas.ts'

/** A mail has one language: both are asked for. The texts are rich text. */
const fields = {
  subject: requiredLine(limits.title),
  subject_en: requiredLine(limits.title),
  text: requiredText(limits.richText),
  text_en: requiredText(limits.richText),
}

/** `POST /api/announcements`; `test`: to the author alone, in both languages. */
export const announcementInput = z.strictObject({ ...fields, test: z.boolean().default(false) })
export type AnnouncementInput = z.infer<typeof announcementInput>

export const announcementStates = ['waiting', 'sending', 'sent', 'undone'] as const

/**
 * `undo_until`: until then nothing leaves. `to`: how many subscribers it goes to, by language. `sent`, `bounced`, `left`: mails
 * that left, came back, and readers who ended their subscription afterwards, before the next announcement.
 */
export const announcement = z.object({
  id_announcement: id,
  ...fields,
  author: z.string(),
  created_at: z.string(),
  undo_until: z.string(),
  state: z.enum(announcementStates),
  to: z.int(),
  sent: z.int(),
  bounced: z.int(),
  left: z.int(),
})
export type Announcement = z.infer<typeof announcement>

/** A test is not stored: `id_announcement` is null, and `to` is the address it was sent to. */
export const announcementTest = z.object({ id_announcement: z.null(), to: z.string() })

/** Who would get it, by language. */
export const newsAudience = z.object({ fr: z.int(), en: z.int() })
