import type { CompanyMedia } from '#src/lib/company-schema.ts'

/**
 * Videos and downloads of the site. Their files go in `videos` and `downloads` of the data folder; the site says where one is
 * missing. The four short videos of `company/videos` are used until yours replace them, under the same names or others; the
 * files of `company/downloads` on a demonstration site alone.
 */
export const media: CompanyMedia = {
  tutorials: [
    {
      name: 'phone_tutorial',
      title: { fr: 'Votre téléphone de bureau', en: 'Your desk phone' },
      video: {
        kind: 'file',
        file: 'telephone-de-bureau.mp4',
        captions: 'telephone-de-bureau.fr.vtt',
        poster: 'telephone-de-bureau.webp',
      },
    },
    {
      name: 'portal_personnal_tutorial',
      title: { fr: 'Votre portail personnel', en: 'Your personal portal' },
      video: {
        kind: 'file',
        file: 'portail-personnel.mp4',
        captions: 'portail-personnel.fr.vtt',
        poster: 'portail-personnel.webp',
      },
    },
    {
      name: 'soft_phone_tutorial',
      title: { fr: 'Le téléphone logiciel sur votre ordinateur', en: 'The softphone on your computer' },
      video: {
        kind: 'file',
        file: 'telephone-logiciel-ordinateur.mp4',
        captions: 'telephone-logiciel-ordinateur.fr.vtt',
        poster: 'telephone-logiciel-ordinateur.webp',
      },
    },
    {
      name: 'soft_phone_cell_tutorial',
      title: { fr: 'Le téléphone logiciel sur votre cellulaire', en: 'The softphone on your cell phone' },
      // An external player: { kind: 'embed', url: 'https://…' }.
      video: {
        kind: 'file',
        file: 'telephone-logiciel-cellulaire.mp4',
        captions: 'telephone-logiciel-cellulaire.fr.vtt',
        poster: 'telephone-logiciel-cellulaire.webp',
      },
    },
  ],
  downloads: [
    {
      id: 'remote-assistance-windows',
      use: 'remote_assistance',
      platform: 'windows',
      label: { fr: 'Assistance à distance pour Windows', en: 'Remote assistance for Windows' },
      file: 'assistance-windows.zip',
    },
    {
      id: 'remote-assistance-mac',
      use: 'remote_assistance',
      platform: 'mac',
      label: { fr: 'Assistance à distance pour Mac', en: 'Remote assistance for Mac' },
      url: 'https://assistance.example.com/mac',
    },
    {
      id: 'softphone-windows',
      use: 'softphone',
      platform: 'windows',
      label: { fr: 'Téléphone logiciel pour Windows', en: 'Softphone for Windows' },
      file: 'telephone-logiciel-windows.zip',
    },
    {
      id: 'softphone-mac',
      use: 'softphone',
      platform: 'mac',
      label: { fr: 'Téléphone logiciel pour Mac', en: 'Softphone for Mac' },
      file: 'telephone-logiciel-mac.zip',
    },
  ],
  wayOfLife: [
    {
      picture: 'counter.svg',
      caption: {
        fr: '8 h : on allume la lampe. Le premier appel arrive avant le deuxième café.',
        en: '8 AM: the lamp goes on. The first call comes in before the second coffee.',
      },
      description: {
        fr: 'Une technicienne souriante, casque d’écoute sur la tête, salue derrière le comptoir.',
        en: 'A smiling technician with a headset waves from behind the counter.',
      },
    },
    {
      picture: 'van.svg',
      caption: {
        fr: 'La tempête de la nuit n’a pas attendu. Le camion part quand même.',
        en: 'Last night’s storm did not wait. The van leaves anyway.',
      },
      description: {
        fr: 'Le camion de service roule dans la neige, phares allumés, entre les sapins.',
        en: 'The service van drives through the snow between fir trees, headlights on.',
      },
    },
    {
      picture: 'wiring-closet.svg',
      caption: {
        fr: 'Chaque câble porte un numéro. C’est une promesse qu’on se fait entre collègues.',
        en: 'Every cable bears a number. It is a promise colleagues make to each other.',
      },
      description: {
        fr: 'Un technicien branche un câble dans une grande armoire de câblage.',
        en: 'A technician plugs a cable into a large wiring cabinet.',
      },
    },
    {
      picture: 'server-room.svg',
      caption: {
        fr: 'Dehors, moins vingt-cinq. Dedans, dix-neuf degrés, hiver comme été. La tuque, c’est l’habitude.',
        en: 'Minus twenty-five outside. Nineteen degrees inside, winter and summer. The tuque is a habit.',
      },
      description: {
        fr: 'Une technicienne en tuque travaille sur un portable devant les serveurs, pendant qu’il neige à la fenêtre.',
        en: 'A technician in a tuque works on a laptop beside the servers while snow falls outside the window.',
      },
    },
    {
      picture: 'workshop.svg',
      caption: {
        fr: 'Ce qui doit lâcher lâche à l’atelier, pas chez vous.',
        en: 'Whatever is going to fail fails in our workshop, not on your premises.',
      },
      description: {
        fr: 'Un technicien répare un ordinateur ouvert à l’établi, ses outils au mur.',
        en: 'A technician repairs an open computer at the bench, tools on the wall.',
      },
    },
    {
      picture: 'training.svg',
      caption: {
        fr: 'Une journée de formation par mois, avec le droit de tout casser.',
        en: 'One training day a month, and breaking things is allowed.',
      },
      description: {
        fr: 'Une formatrice dessine un réseau au tableau devant trois collègues.',
        en: 'A trainer draws a network on the board in front of three colleagues.',
      },
    },
    {
      picture: 'team-lunch.svg',
      caption: {
        fr: 'Le dîner du jeudi. La qualité varie; la présence, non.',
        en: 'Thursday lunch. Quality varies; attendance does not.',
      },
      description: {
        fr: 'Cinq collègues dînent ensemble autour d’une longue table.',
        en: 'Five colleagues have lunch together around a long table.',
      },
    },
    {
      picture: 'rink.svg',
      caption: {
        fr: 'Techniciens contre programmeurs, tous les mardis de janvier. Le pointage est tenu secret.',
        en: 'Technicians against programmers, every Tuesday in January. The score is kept secret.',
      },
      description: {
        fr: 'Trois collègues jouent au hockey le soir sur une patinoire extérieure, sous les guirlandes.',
        en: 'Three colleagues play hockey at night on an outdoor rink, under strings of lights.',
      },
    },
    {
      picture: 'sugar-shack.svg',
      caption: {
        fr: 'En mars, la réunion se tient à l’érablière. L’ordre du jour est court.',
        en: 'In March the meeting is held at the sugar shack. The agenda is short.',
      },
      description: {
        fr: 'Quatre collègues partagent de la tire d’érable devant une cabane à sucre.',
        en: 'Four colleagues share maple taffy in front of a sugar shack.',
      },
    },
    {
      picture: 'night-desk.svg',
      caption: {
        fr: '3 h du matin : une personne veille, et le chat aussi. À peu près.',
        en: '3 AM: someone is watching, and so is the cat. More or less.',
      },
      description: {
        fr: 'Une technicienne de garde travaille la nuit sous une lampe, près d’un chat endormi.',
        en: 'A technician on call works under a lamp at night beside a sleeping cat.',
      },
    },
  ],
  map: {
    directionsUrl: 'https://www.openstreetmap.org/directions?to={latitude}%2C{longitude}',
    attribution: '© OpenStreetMap',
    zoom: 15,
  },
}
