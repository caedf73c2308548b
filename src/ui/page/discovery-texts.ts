import { defineTexts } from '#src/lib/language/texts.ts'

export const discoveryTexts = defineTexts({
  fr: {
    manifestServiceCall: 'Appel de service',
    manifestStatus: 'État du réseau',
    manifestContact: 'Nous joindre',
  },
  en: {
    manifestServiceCall: 'Service call',
    manifestStatus: 'Network status',
    manifestContact: 'Contact us',
  },
})
