import type { CompanySite } from '#src/lib/company-schema.ts'

/** What every page says of the company: the line of the footer, and the drawing of a page that is not there. */
export const siteTexts: CompanySite = {
  fr: {
    footerPitch: 'Une vraie personne vous répond.',
    notFoundScene: 'Une technicienne cherche, lampe de poche à la main, devant un guichet fermé.',
  },
  en: {
    footerPitch: 'A real person answers.',
    notFoundScene: 'A technician searches with a flashlight in front of a closed counter.',
  },
}
