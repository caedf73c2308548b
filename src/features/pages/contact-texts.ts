import { defineTexts } from '#src/lib/language/texts.ts'

export const contactTexts = defineTexts({
  fr: {
    formTitle: 'Écrivez-nous',
    blockTitle: 'Nos coordonnées',
    quebec: 'Région de Québec',
    fax: 'Télécopieur',
    tollFree: 'Sans frais',
    supportEmail: 'Soutien informatique',
    telecomEmail: 'Soutien télécom',
    address: 'Adresse',
    mapTitle: 'Où nous trouver',
    marker: '{company}, {address}',
    plan: 'Plan dessiné, sans échelle',
    directions: 'Obtenir l’itinéraire',
  },
  en: {
    formTitle: 'Write to us',
    blockTitle: 'How to reach us',
    quebec: 'Quebec City area',
    fax: 'Fax',
    tollFree: 'Toll-free',
    supportEmail: 'IT support',
    telecomEmail: 'Telecom support',
    address: 'Address',
    mapTitle: 'Where to find us',
    marker: '{company}, {address}',
    plan: 'Sketch map, not to scale',
    directions: 'Get directions',
  },
})
