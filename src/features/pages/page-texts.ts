import { defineTexts } from '#src/lib/language/texts.ts'

export const pageTexts = defineTexts({
  fr: {
    contactUs: 'Nous joindre',
    call: 'Appeler le\u00a0{phone}',
    bandTitle: 'Parlons de vos besoins',
    bandText:
      'Une personne prend votre appel ou votre message, pose quelques questions et vous dit franchement si nous pouvons vous aider.',
    bandHours: 'Urgences : jour et nuit, au numéro sans frais',
    otherServices: 'Nos autres services',
    aboutScene: 'Cinq collègues dînent ensemble autour d’une longue table.',
    cloudScene: 'Une technicienne en tuque travaille devant les serveurs pendant qu’il neige à la fenêtre.',
    serviceScene: 'Un technicien répare un ordinateur ouvert à l’établi.',
    programmingScene: 'Une programmeuse-analyste explique un schéma au tableau à trois collègues.',
    infrastructureScene: 'Un technicien branche un câble dans une grande armoire de câblage.',
  },
  en: {
    contactUs: 'Contact us',
    call: 'Call {phone}',
    bandTitle: 'Tell us about your needs',
    bandText: 'A person takes your call or your message, asks a few questions and tells you frankly whether we can help.',
    bandHours: 'Emergencies: day and night, on the toll-free line',
    otherServices: 'Our other services',
    aboutScene: 'Five colleagues have lunch together around a long table.',
    cloudScene: 'A technician in a tuque works beside the servers while snow falls outside the window.',
    serviceScene: 'A technician repairs an open computer at the bench.',
    programmingScene: 'A programmer-analyst explains a diagram on the board to three colleagues.',
    infrastructureScene: 'A technician plugs a cable into a large wiring cabinet.',
  },
})
