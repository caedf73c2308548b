import type { Language } from './language.ts'

const fixed = '\u00a0'

/**
 * Applies typographic apostrophes and, in French, the spacing of Quebec: no space before ; ! ? and no-break spaces around : « »
 * and units.
 */
export function setTypography(text: string, language: Language) {
  const curly = text.replaceAll(/(?<=[\p{L}\d])'(?=[\p{L}\d])/gu, '’')
  if (language !== 'fr') return curly
  return curly
    .replaceAll(/(?<=\S)[ \u00a0](?=[;!?])/g, '')
    .replaceAll(/ (?=[:»%$])/g, fixed)
    .replaceAll('« ', `«${fixed}`)
    .replaceAll(
      /(?<=[\d}]) (?=(?:\d{3}|h|min|s|ms|mois|ans?|jours?|heures?|minutes?|secondes?|[KMGT]o|[KMG]bit\/s)(?![\p{L}\d]))/gu,
      fixed,
    )
    .replaceAll(/(?<=\dh|\d\u00a0h|\}\u00a0h) (?=\d|\{)/g, fixed)
}
