import { z } from 'zod'
import { requiredLine, text } from '#src/lib/schemas.ts'

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time such as 08:00')
const minutes = z.int().min(1, 'from 1 to 240 minutes').max(240, 'from 1 to 240 minutes')
const notice = text(1_000)

const openDay = z
  .strictObject({ day: z.int().min(1).max(7), opens: clock, closes: clock })
  .refine(({ opens, closes }) => opens < closes, 'closes after it opens')

const holiday = z.strictObject({ date: z.iso.date('a date'), name: requiredLine(100), name_en: text(100) })

/** The origin of another site: what a browser sends, and what `frame-ancestors` takes. */
const origin = z
  .string()
  .refine((value) => URL.canParse(value) && isWebOrigin(new URL(value), value), 'an address such as https://www.example.com')

function isWebOrigin({ protocol, origin: wanted }: URL, value: string) {
  return (protocol === 'https:' || protocol === 'http:') && wanted === value
}

const isEachOnce = (names: readonly (string | number)[]) => new Set(names).size === names.length

/** The settings of the chat; until the first save those of `company/`. */
export const chatSettings = z.strictObject({
  /** 0 before the first save. */
  version: z.int().min(0),
  /** A day without an entry is closed. */
  week: z
    .array(openDay)
    .max(7)
    .refine((week) => isEachOnce(week.map(({ day }) => day)), 'each day once'),
  holidays: z
    .array(holiday)
    .max(200)
    .refine((all) => isEachOnce(all.map(({ date }) => date)), 'each date once'),
  auto_reply: z.boolean(),
  auto_reply_message: notice,
  auto_reply_message_en: notice,
  expected_wait: text(200),
  expected_wait_en: text(200),
  /** Without an answer for so long, the visitor may leave a message instead. */
  no_answer_minutes: minutes,
  /** An unclaimed chat is notified on the desktop, then by mail, after so many minutes. */
  escalation_notification_minutes: minutes,
  escalation_mail_minutes: minutes,
  attachments_enabled: z.boolean(),
  /** How long conversations and their files are stored. */
  retention_days: z.int().min(1, 'from 1 to 3650 days').max(3_650, 'from 1 to 3650 days'),
  /** Sites that may embed the chat and call its API. */
  embed_origins: z.array(origin).max(50).refine(isEachOnce, 'each site once'),
})

export const chatSettingsInput = chatSettings.superRefine(({ auto_reply, auto_reply_message, ...rest }, context) => {
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (auto_reply && auto_reply_message.trim() === '') refuse('auto_reply_message', 'required')
  if (rest.escalation_mail_minutes < rest.escalation_notification_minutes)
    refuse('escalation_mail_minutes', 'after the notification')
})

export type ChatSettings = z.infer<typeof chatSettings>
