import { defineTexts } from '#src/lib/language/texts.ts'

/** Of the landing screen, which does not load the other texts of the feature. */
export const lateDemandTexts = defineTexts({
  fr: {
    late: '{count} {count|demande de renseignements personnels en retard|demandes de renseignements personnels en retard}',
    see: 'Voir le registre',
    law: 'La Loi 25 accorde 30 jours pour y répondre par écrit.',
  },
  en: {
    late: '{count} {count|request about information overdue|requests about information overdue}',
    see: 'See the register',
    law: 'Law 25 gives 30 days to answer in writing.',
  },
})
