/** A number as people read it, kept on one line: no break at its spaces, nor after its dash. */
export const unbroken = (number: string) => number.replaceAll(' ', '\u00a0').replaceAll('-', '-\u2060')
