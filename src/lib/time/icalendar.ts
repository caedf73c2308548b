type CalendarEvent = {
  uid: string
  /** Counts the changes, from 0. */
  sequence: number
  changedAt: Date
  startsAt: Date
  endsAt: Date
  summary: string
  description: string
  url: string
  cancelled: boolean
}

type Calendar = { product: string; name: string; description: string; refresh: string; events: readonly CalendarEvent[] }

/** An iCalendar object (RFC 5545, with the names of RFC 7986 and those that calendars knew before). */
export function renderCalendar({ product, name, description, refresh, events }: Calendar) {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:${escape(product)}`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${escape(name)}`,
    `X-WR-CALNAME:${escape(name)}`,
    `DESCRIPTION:${escape(description)}`,
    `X-WR-CALDESC:${escape(description)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${refresh}`,
    `X-PUBLISHED-TTL:${refresh}`,
    ...events.flatMap(linesOf),
    'END:VCALENDAR',
  ]
    .map((line) => `${fold(line)}\r\n`)
    .join('')
}

function linesOf(event: CalendarEvent) {
  return [
    'BEGIN:VEVENT',
    `UID:${escape(event.uid)}`,
    `DTSTAMP:${utc(event.changedAt)}`,
    `LAST-MODIFIED:${utc(event.changedAt)}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTART:${utc(event.startsAt)}`,
    `DTEND:${utc(event.endsAt)}`,
    `SUMMARY:${escape(event.summary)}`,
    ...(event.description ? [`DESCRIPTION:${escape(event.description)}`] : []),
    `URL:${event.url}`,
    `STATUS:${event.cancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

function utc(instant: Date) {
  return `${instant.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

function escape(text: string) {
  const oneKind = text.replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
  return oneKind
    .replaceAll(/[^\P{Cc}\t\n]/gu, '')
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`)
}

/** At most 75 bytes a line, the rest on lines that begin with a space; no character is cut in two. */
function fold(line: string) {
  let folded = ''
  let bytes = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (bytes + size > 75) {
      folded += '\r\n '
      bytes = 1
    }
    folded += character
    bytes += size
  }
  return folded
}
