import { homeTexts } from '#company/home.ts'
import { defineTexts } from '#src/lib/language/texts.ts'

export const texts = defineTexts({
  fr: {
    ...homeTexts.fr,
    alarm: 'Avis urgent',
    seeNetwork: 'Voir l’état du réseau',
    chat: 'Clavarder avec un technicien',
    serviceCall: 'Faire un appel de service',
    cloud: 'Infonuagique',
    service: 'Service informatique',
    programming: 'Programmation',
    equipment: 'Équipement',
    discover: 'Découvrir',
    discoverService: 'Découvrir : {name}',
    securityTitle: 'Avis de cybersécurité',
    securityText:
      'Un message urgent vous demande un mot de passe, un code ou un virement? Ne cliquez pas et ne répondez pas. Transférez-le à {name}, {title} :',
    joinTitle: 'Joignez-vous à l’équipe',
    joinText: 'Vous aimez résoudre des problèmes et parler aux gens? {name}, {title}, lit chaque candidature :',
    joinLink: 'Voir les postes ouverts',
    opinionTitle: 'Votre opinion compte',
    opinionText: 'Un compliment, une idée, une plainte : dites-le-nous, quelqu’un vous répondra.',
    opinionLink: 'Écrire à {email}',
  },
  en: {
    ...homeTexts.en,
    alarm: 'Urgent notice',
    seeNetwork: 'See the network status',
    chat: 'Chat with a technician',
    serviceCall: 'Place a service call',
    cloud: 'Cloud',
    service: 'IT service',
    programming: 'Programming',
    equipment: 'Equipment',
    discover: 'Discover',
    discoverService: 'Discover: {name}',
    securityTitle: 'Cybersecurity notice',
    securityText:
      'Does an urgent message ask you for a password, a code or a transfer? Do not click and do not reply. Forward it to {name}, {title}:',
    joinTitle: 'Join the team',
    joinText: 'You like solving problems and talking with people? {name}, {title}, reads every application:',
    joinLink: 'See the open positions',
    opinionTitle: 'Your opinion counts',
    opinionText: 'A compliment, an idea, a complaint: tell us, and someone will reply.',
    opinionLink: 'Write to {email}',
  },
})
