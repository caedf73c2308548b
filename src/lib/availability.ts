import type { OpenDay } from './time/business-hours.ts'

/** State of the chat, from one source for every place that shows it. */
export type Availability = {
  /** `busy`: within business hours, but no technician is available. */
  state: 'open' | 'busy' | 'closed'
  /** The urgent banner is on. */
  emergency: boolean
  user_count: number
  /** Null within business hours. */
  next_opening: string | null
  /** When the hours end; null outside them, and where they last longer than a day. */
  closes_at: string | null
  /** While no technician is available: the recent waiting time in minutes; null with too few cases. */
  expected_minutes: number | null
  /** The hours of each day. */
  week: readonly OpenDay[]
  /** Zone of the times above. */
  time_zone: string
  zone_name: string
  zone_name_en: string
  /** Minutes by which it is ahead of UTC now. */
  utc_offset: number
}

/** What the lamp shows, wherever it stands: an urgent notice wins over the state of the chat; out where nothing is known. */
export const lampOf = (availability: Pick<Availability, 'state' | 'emergency'> | null) =>
  availability?.emergency ? 'emergency' : (availability?.state ?? 'closed')
