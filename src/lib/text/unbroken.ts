/** A number with no-break spaces and no break after its hyphens. */
export const unbroken = (number: string) => number.replaceAll(' ', '\u00a0').replaceAll('-', '-\u2060')
