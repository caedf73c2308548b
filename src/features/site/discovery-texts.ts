import { defineTexts } from '#src/lib/texts.ts'

export const discoveryTexts = defineTexts({
  fr: {
    manifestDescription: 'Soutien informatique, infonuagique et téléphonie pour les PME du Québec.',
    manifestServiceCall: 'Appel de service',
    manifestStatus: 'État du réseau',
    manifestContact: 'Nous joindre',
  },
  en: {
    manifestDescription: 'IT support, cloud and telephony for Quebec’s small and medium businesses.',
    manifestServiceCall: 'Service call',
    manifestStatus: 'Network status',
    manifestContact: 'Contact us',
  },
})
