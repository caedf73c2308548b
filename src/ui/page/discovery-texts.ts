import { defineTexts } from '#src/lib/language/texts.ts'

export const discoveryTexts = defineTexts({
  fr: {
    manifestDescription: 'Soutien informatique, infonuagique et téléphonie pour les PME du Québec.',
    manifestServiceCall: 'Appel de service',
    manifestStatus: 'État du réseau',
    manifestContact: 'Nous joindre',
    shareAlt: '{name} : une personne du guichet vous salue sous sa lampe allumée.',
  },
  en: {
    manifestDescription: 'IT support, cloud and telephony for Quebec’s small and medium businesses.',
    manifestServiceCall: 'Service call',
    manifestStatus: 'Network status',
    manifestContact: 'Contact us',
    shareAlt: '{name}: a person at the counter waves under a lamp that is on.',
  },
})
