import type { Language } from './language.ts'

const fixed = '\u00a0'

/** Sets curly apostrophes and, in French, the non-breaking spaces. */
export function setTypography(text: string, language: Language) {
  const curly = text.replaceAll(/(?<=[\p{L}\d])'(?=[\p{L}\d])/gu, '’')
  if (language !== 'fr') return curly
  return curly
    .replaceAll(/ (?=[:;!?»%$])/g, fixed)
    .replaceAll('« ', `«${fixed}`)
    .replaceAll(
      /(?<=\d) (?=(?:\d{3}|h|min|mois|ans?|jours?|heures?|minutes?|secondes?|[KMGT]o|[KMG]bit\/s)(?![\p{L}\d]))/gu,
      fixed,
    )
}
