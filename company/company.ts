import type { Company } from '#src/lib/company-schema.ts'

/**
 * Facts about the company. All of them are placeholders to replace with your own: the people, the numbers (555-01xx) and the
 * addresses (example.com) are invented.
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
      title: { fr: 'Responsable de la cybersécurité', en: 'Head of cybersecurity' },
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
  },
  news: {
    title: {
      fr: 'Nouvelle : la fibre arrive à Trois-Rivières',
      en: 'News: fiber comes to Trois-Rivières',
    },
    text: {
      fr: 'Le centre de données de la Mauricie passe à 10 Gbit/s. Aucune interruption n’est prévue.',
      en: 'The Mauricie data center moves up to 10 Gbit/s. No interruption is planned.',
    },
  },
  satisfiedClients: 1300,
  retention: {
    chatMonths: 12,
    requestMonths: 24,
    applicationMonths: 12,
    recordingMonths: 6,
    mailMonths: 12,
    waitingMailDays: 30,
  },
}
