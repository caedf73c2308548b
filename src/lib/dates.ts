/** The day, as YYYY-MM-DD, that it is at an instant in a time zone. */
export function dayIn(timeZone: string, instant: Date) {
  // The Canadian English short date is ISO 8601.
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(instant)
}
