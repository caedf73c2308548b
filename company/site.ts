import type { CompanySite } from '#src/lib/company-schema.ts'

/** Texts of every page: the line of the footer, and the description of the drawing on the 404 page. */
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
