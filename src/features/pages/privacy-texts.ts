import { defineTexts } from '#src/lib/language/texts.ts'

export const privacyTexts = defineTexts({
  fr: {
    print: 'Imprimer cette politique',
    officerTitle: 'Une question sur vos renseignements?',
    officerText: '{name} vous répond par écrit dans les 30 jours.',
    officerWrite: 'Écrire à {email}',
  },
  en: {
    print: 'Print this policy',
    officerTitle: 'A question about your information?',
    officerText: '{name} replies to you in writing within 30 days.',
    officerWrite: 'Write to {email}',
  },
})
