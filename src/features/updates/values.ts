/** Advice not to use the product this long before and after an update. */
export const adviceMinutes = 5
export const defaultDuration = 15
export const maxDuration = 24 * 60
export const messageMax = 2_000

export type WindowState = 'planned' | 'running' | 'done' | 'cancelled'

/** `soon` and `after` are the minutes around the update in which the advice is shown; it is hidden after `over`. */
export type UpdatePhase = 'planned' | 'soon' | 'running' | 'after' | 'over'

type Span = { next_update: string; ends_at: string }

const adviceMs = adviceMinutes * 60_000

/** Phase of an alert at an instant. */
export function phaseOf({ next_update, ends_at }: Span, now: number): UpdatePhase {
  const [start, end] = [Date.parse(next_update), Date.parse(ends_at)]
  if (now < start - adviceMs) return 'planned'
  if (now < start) return 'soon'
  if (now < end) return 'running'
  return now < end + adviceMs ? 'after' : 'over'
}

/** Start and end of the advice. */
export function adviceSpan({ next_update, ends_at }: Span) {
  return { from: new Date(Date.parse(next_update) - adviceMs), until: new Date(Date.parse(ends_at) + adviceMs) }
}

/** Names of the calendars, under `/reseau/`. */
export const calendarFiles = { fr: 'calendrier.ics', en: 'calendar.ics' } as const
