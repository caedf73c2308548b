import type { Translate } from '#src/lib/language/texts.ts'
import { defineTexts } from '#src/lib/language/texts.ts'
import { privacyTexts } from './texts.ts'

export type KindKey = keyof (typeof privacyTexts)['fr']

/** Label of a kind of data; falls back to its key. */
export const kindName = (t: Translate<KindKey>, kind: string) => (kind in privacyTexts.fr ? t(kind as KindKey) : kind)

export const periodTexts = defineTexts({
  fr: {
    title: 'Durées de conservation',
    intro:
      'Une seule table : les avis, la politique et le travail de nuit la suivent. Chaque nuit, ce qui est plus ancien est effacé.',
    change: 'Modifier les durées',
    count: 'Durée',
    unit: 'Unité',
    days: 'jours',
    months: 'mois',
    save: 'Sauvegarder',
    cancel: 'Annuler',
    range: 'Entrez une durée de 1 jour à 120 mois (3650 jours).',
    incidentsRange: 'La loi exige au moins 60 mois pour le registre des incidents.',
  },
  en: {
    title: 'Retention periods',
    intro: 'One table: notices, policy and nightly work follow it. Each night, what is older is deleted.',
    change: 'Change the periods',
    count: 'Period',
    unit: 'Unit',
    days: 'days',
    months: 'months',
    save: 'Save',
    cancel: 'Cancel',
    range: 'Enter a period from 1 day to 120 months (3650 days).',
    incidentsRange: 'The law requires at least 60 months for the incident register.',
  },
})
