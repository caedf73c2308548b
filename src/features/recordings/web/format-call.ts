/** A number of North America as people read it, 418 555-0123; an extension, or a number from elsewhere, as it is. */
export function formatPhoneNumber(number: string) {
  return number.replace(
    /^(?:\+?(1))?(\d{3})(\d{3})(\d{4})$/,
    (_number, one: string | undefined, ...[area, office, line]: string[]) =>
      [one, area, `${office}-${line}`].filter(Boolean).join('\u00A0'),
  )
}

/** Minutes and seconds, with hours where there are some: 3:05, 1:02:09. */
export function formatDuration(seconds: number) {
  const whole = Math.round(seconds)
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}
