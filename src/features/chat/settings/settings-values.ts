import type { ChatSettings } from '../contract.ts'

export type DayValues = { day: number; isOpen: boolean; opens: string; closes: string }
type MinuteField = 'no_answer_minutes' | 'escalation_notification_minutes' | 'escalation_mail_minutes'
type NumberField = MinuteField | 'retention_days'

/** The settings as form values: numbers as text, one site per line, all seven days. */
export type SettingsValues = Omit<ChatSettings, 'week' | 'embed_origins' | NumberField> &
  Record<NumberField, string> & { week: DayValues[]; embed_origins: string; english_reviewed?: string[] }

const usualHours = { opens: '08:00', closes: '17:00' }

export function valuesOf(settings: ChatSettings): SettingsValues {
  const { week, embed_origins, no_answer_minutes, escalation_notification_minutes, ...rest } = settings
  return {
    ...rest,
    no_answer_minutes: String(no_answer_minutes),
    escalation_notification_minutes: String(escalation_notification_minutes),
    escalation_mail_minutes: String(rest.escalation_mail_minutes),
    retention_days: String(rest.retention_days),
    week: [1, 2, 3, 4, 5, 6, 7].map((day) => {
      const open = week.find((one) => one.day === day)
      return {
        day,
        isOpen: open !== undefined,
        opens: open?.opens ?? usualHours.opens,
        closes: open?.closes ?? usualHours.closes,
      }
    }),
    embed_origins: embed_origins.join('\n'),
  }
}

/** Form values to settings; the server refuses a text that is no number. */
export function settingsOf({ english_reviewed: _reviewed, ...values }: SettingsValues) {
  const number = (field: NumberField) => (/^\d+$/.test(values[field].trim()) ? Number(values[field]) : values[field])
  return {
    ...values,
    no_answer_minutes: number('no_answer_minutes'),
    escalation_notification_minutes: number('escalation_notification_minutes'),
    escalation_mail_minutes: number('escalation_mail_minutes'),
    retention_days: number('retention_days'),
    week: values.week.filter(({ isOpen }) => isOpen).map(({ day, opens, closes }) => ({ day, opens, closes })),
    embed_origins: values.embed_origins.split(/\s+/).filter(Boolean).map(originOf),
  }
}

/** Reduces a page's address to its origin. */
function originOf(address: string) {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return address
  return new URL(address).origin
}
