import type { CompanyMedia } from '#src/lib/company-media-schema.ts'
import type { Company } from '#src/lib/company-schema.ts'

/**
 * Who the company is. Everything here is a placeholder to replace with your own:
 * the people, the numbers (555-01xx) and the addresses (example.com) are invented.
 */
export const company: Company = {
  name: 'Guichet',
  legalName: 'Guichet Informatique et Télécom inc.',
  foundedYear: 1998,
  phones: {
    tollFree: { display: '1 800 555-0142', e164: '+18005550142' },
    quebec: { display: '418 555-0118', e164: '+14185550118' },
    fax: { display: '418 555-0119', e164: '+14185550119' },
  },
  emails: {
    support: 'soutien@example.com',
    telecom: 'telecom@example.com',
    hr: 'rh@example.com',
    opinion: 'opinion@example.com',
  },
  address: {
    street: '1000, rue du Comptoir, bureau 200',
    city: 'Québec',
    region: 'QC',
    postalCode: 'G1A 0A0',
    country: 'CA',
    latitude: 46.8139,
    longitude: -71.208,
  },
  links: {
    clientArea: 'https://client.example.com/',
    telecomSite: { name: 'Guichet Télécom', url: 'https://telecom.example.com/' },
    socials: [
      { network: 'facebook', url: 'https://facebook.example.com/guichet' },
      { network: 'linkedin', url: 'https://linkedin.example.com/company/guichet' },
      { network: 'youtube', url: 'https://youtube.example.com/@guichet' },
    ],
  },
  people: {
    privacyOfficer: {
      name: 'Hélène Marchand',
      title: { fr: 'Responsable de la protection des renseignements personnels', en: 'Privacy officer' },
      email: 'vieprivee@example.com',
    },
    securityContact: {
      name: 'Olivier Bédard',
      title: { fr: 'Responsable de la cybersécurité', en: 'Head of cyber-security' },
      email: 'securite@example.com',
    },
    recruiter: {
      name: 'Annick Tremblay',
      title: { fr: 'Conseillère en ressources humaines', en: 'Human resources advisor' },
      email: 'rh@example.com',
    },
    featuredEmployeeEmail: 'zoe.lavallee@example.com',
  },
  hours: {
    timeZone: 'America/Toronto',
    days: [1, 2, 3, 4, 5],
    opens: '08:00',
    closes: '17:00',
    holidays: [
      { date: '2026-12-25', name: { fr: 'Noël', en: 'Christmas Day' } },
      { date: '2026-12-28', name: { fr: 'Lendemain de Noël', en: 'Boxing Day' } },
      { date: '2027-01-01', name: { fr: 'Jour de l’An', en: 'New Year’s Day' } },
      { date: '2027-01-04', name: { fr: 'Lendemain du jour de l’An', en: 'Day after New Year’s' } },
      { date: '2027-03-26', name: { fr: 'Vendredi saint', en: 'Good Friday' } },
      { date: '2027-05-24', name: { fr: 'Journée nationale des patriotes', en: 'National Patriots’ Day' } },
      { date: '2027-06-24', name: { fr: 'Fête nationale du Québec', en: 'Quebec National Holiday' } },
      { date: '2027-07-01', name: { fr: 'Fête du Canada', en: 'Canada Day' } },
      { date: '2027-09-06', name: { fr: 'Fête du Travail', en: 'Labour Day' } },
      { date: '2027-10-11', name: { fr: 'Action de grâce', en: 'Thanksgiving' } },
    ],
  },
  news: {
    title: {
      fr: 'Nouvelle : la fibre arrive à Trois-Rivières',
      en: 'News: fibre comes to Trois-Rivières',
    },
    text: {
      fr: 'Le centre de données de la Mauricie passe à 10 Gbit/s. Aucune interruption n’est prévue.',
      en: 'The Mauricie data centre moves up to 10 Gbit/s. No interruption is planned.',
    },
  },
  satisfiedClients: 1300,
  retention: { chatMonths: 12, requestMonths: 24, applicationMonths: 12, recordingMonths: 6, mailMonths: 12 },
}

/**
 * What the site shows and hands out. Files go in `videos` and `downloads` of the data folder; a missing one is said so.
 * The four short videos of `company/videos` stand until yours take their place, under the same names or others.
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
      // A player of another site is written { kind: 'embed', url: 'https://…' }.
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
      file: 'assistance-windows.exe',
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
      file: 'telephone-logiciel-windows.exe',
    },
    {
      id: 'softphone-mac',
      use: 'softphone',
      platform: 'mac',
      label: { fr: 'Téléphone logiciel pour Mac', en: 'Softphone for Mac' },
      file: 'telephone-logiciel-mac.dmg',
    },
  ],
  wayOfLife: [
    {
      picture: 'counter.svg',
      caption: {
        fr: '8 h : on allume la lampe. Le premier appel arrive avant le deuxième café.',
        en: '8 a.m.: the lamp goes on. The first call comes in before the second coffee.',
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
        fr: 'Le dîner du jeudi. La qualité varie ; la présence, non.',
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
        en: '3 a.m.: someone is watching, and so is the cat. More or less.',
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
