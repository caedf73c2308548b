import { defineTexts } from '#src/lib/language/texts.ts'

export const calendarTexts = defineTexts({
  fr: {
    name: 'Entretiens de {company}',
    description: 'Les fenêtres d’entretien annoncées par {company}.',
    summary: 'Entretien planifié : {company}',
    standard: 'Nos services peuvent être interrompus quelques minutes pendant cet entretien.',
    cancelled: 'Annulé : {summary}',
  },
  en: {
    name: '{company} maintenance',
    description: 'The maintenance windows that {company} announces.',
    summary: 'Scheduled maintenance: {company}',
    standard: 'Our services may be interrupted for a few minutes during this maintenance.',
    cancelled: 'Canceled: {summary}',
  },
})
