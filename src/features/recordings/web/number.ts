/** A number of North America as people read it, 418 555-0123; an extension, or a number from elsewhere, as it is. */
export function formatNumber(number: string) {
  return number.replace(
    /^(?:\+?(1))?(\d{3})(\d{3})(\d{4})$/,
    (_number, one: string | undefined, ...[area, office, line]: string[]) =>
      [one, area, `${office}-${line}`].filter(Boolean).join('\u00A0'),
  )
}
