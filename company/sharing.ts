import type { CompanySharing } from '#src/lib/company-schema.ts'

/** Texts for search engines, home screens and shared links; `npm run pictures` draws the slogan. */
export const sharingTexts: CompanySharing = {
  fr: {
    description: 'Soutien informatique, infonuagique et téléphonie pour les PME du Québec.',
    pictureAlt: '{name} : une personne du guichet vous salue sous sa lampe allumée.',
    slogan: ['Une vraie', 'personne répond.', 'En français.'],
    foot: 'Informatique et télécom pour les PME du Québec',
  },
  en: {
    description: 'IT support, cloud and telephony for Quebec’s small and medium businesses.',
    pictureAlt: '{name}: a person at the counter waves under a lamp that is on.',
    slogan: ['A real person', 'answers.', 'Right away.'],
    foot: 'IT and telecom for Quebec small businesses',
  },
}
