import type { ChatSettings } from '../contract.ts'

/** As a time field shows them: `00:00` closes at the midnight after the day. */
export type SpanValues = { opens: string; closes: string }
export type DayValues = { day: number; isOpen: boolean; spans: SpanValues[] }
export type HolidayValues = { date: string; name: string; name_en: string; isOpen: boolean; spans: SpanValues[] }
type MinuteField = 'no_answer_minutes' | 'release_minutes' | 'escalation_notification_minutes' | 'escalation_mail_minutes'
type NumberField = MinuteField | 'silence_seconds'

/** The settings as form values: numbers as text, one site per line, all seven days. */
export type SettingsValues = Omit<ChatSettings, 'week' | 'holidays' | 'embed_origins' | NumberField> &
  Record<NumberField, string> & {
    week: DayValues[]
    holidays: HolidayValues[]
    embed_origins: string
    english_reviewed?: string[]
  }

/** What a day that opens is offered first. */
export const usualSpan: SpanValues = { opens: '08:00', closes: '17:00' }
export const allDay: SpanValues = { opens: '00:00', closes: '00:00' }

export const isAllDay = (spans: SpanValues[]) =>
  spans.length === 1 && spans[0]?.opens === allDay.opens && spans[0].closes === allDay.closes

const midnight = '24:00'
type Spans = ChatSettings['week'][number]['spans']

/** Form values of a day; closed, it opens with the usual hours. */
function spanValues(spans: Spans = []) {
  const values = spans.map(({ opens, closes }) => ({ opens, closes: closes === midnight ? allDay.closes : closes }))
  return { isOpen: spans.length > 0, spans: values.length > 0 ? values : [usualSpan] }
}

export function spansOf({ isOpen, spans }: { isOpen: boolean; spans: SpanValues[] }): Spans {
  if (!isOpen) return []
  return spans.map(({ opens, closes }) => ({ opens, closes: closes === allDay.closes ? midnight : closes }))
}

export function valuesOf(settings: ChatSettings): SettingsValues {
  const { week, holidays, embed_origins, no_answer_minutes, escalation_notification_minutes, ...rest } = settings
  return {
    ...rest,
    no_answer_minutes: String(no_answer_minutes),
    escalation_notification_minutes: String(escalation_notification_minutes),
    release_minutes: String(rest.release_minutes),
    silence_seconds: String(rest.silence_seconds),
    escalation_mail_minutes: String(rest.escalation_mail_minutes),
    week: [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, ...spanValues(week.find((one) => one.day === day)?.spans) })),
    holidays: holidays.map(({ spans, ...holiday }) => ({ ...holiday, ...spanValues(spans) })),
    embed_origins: embed_origins.join('\n'),
  }
}

/** Form values to settings; the server refuses a text that is no number. */
export function settingsOf({ english_reviewed: _reviewed, ...values }: SettingsValues) {
  const number = (field: NumberField) => (/^\d+$/.test(values[field].trim()) ? Number(values[field]) : values[field])
  return {
    ...values,
    no_answer_minutes: number('no_answer_minutes'),
    release_minutes: number('release_minutes'),
    silence_seconds: number('silence_seconds'),
    escalation_notification_minutes: number('escalation_notification_minutes'),
    escalation_mail_minutes: number('escalation_mail_minutes'),
    week: values.week.filter(({ isOpen }) => isOpen).map((day) => ({ day: day.day, spans: spansOf(day) })),
    holidays: values.holidays.map((holiday) => {
      const { date, name, name_en } = holiday
      return { date, name, name_en, spans: spansOf(holiday) }
    }),
    embed_origins: values.embed_origins.split(/\s+/).filter(Boolean).map(originOf),
  }
}

/** Reduces a page's address to its origin. */
function originOf(address: string) {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return address
  return new URL(address).origin
}
