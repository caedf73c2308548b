import type { CompanyHome } from '#src/lib/company-schema.ts'

/** Texts of the home page: slogan, services, clients, and descriptions of the drawings. */
export const homeTexts: CompanyHome = {
  fr: {
    metaTitle: 'Services informatiques et télécom pour les PME du Québec',
    metaDescription:
      'Informatique, téléphonie et infonuagique pour les petites et moyennes entreprises du Québec. Une vraie personne répond, en français, par téléphone, par écrit ou par clavardage.',
    title: 'Une vraie personne répond.',
    openThen: 'Tout de suite, et en français.',
    laterThen: 'Dès que possible, et en français.',
    lead: 'Informatique, téléphonie et infonuagique pour les petites et moyennes entreprises du Québec. Appelez, écrivez ou clavardez : un technicien prend votre demande en charge.',
    scene: 'Une technicienne, casque d’écoute sur la tête, vous accueille au guichet sous une lampe.',
    servicesTitle: 'Tout ce qui fait tourner une PME, au même endroit',
    cloudText: 'Vos courriels, vos fichiers et vos copies de sécurité, hébergés au Québec.',
    serviceText: 'Une équipe qui connaît vos postes par leur nom, sur place ou à distance.',
    programmingText: 'Des outils faits pour votre façon de travailler, et maintenus.',
    equipmentText: 'Réseau, serveurs, Wi-Fi et téléphones, choisis, posés, garantis.',
    clientsTitle: 'clients satisfaits',
    clientsText: 'De Rimouski à Gatineau, été comme hiver. La plupart nous connaissent par notre prénom.',
    vanScene: 'Notre camion de service sur une route enneigée, entre les sapins, à la tombée du jour.',
    panelsTitle: 'Nouvelles et avis',
    quote:
      'Un lundi, à 8\u00a0h\u00a020, plus un téléphone ne sonnait à la clinique. À 9\u00a0h, tout fonctionnait, et Mireille a rappelé pour s’en assurer.',
    quoteBy: 'Annie Roy, Clinique du Fleuve',
  },
  en: {
    metaTitle: 'IT and telecom services for Quebec’s small businesses',
    metaDescription:
      'IT, telephony and cloud for small and medium businesses in Quebec. A real person answers, in English or in French, by phone, in writing or by live chat.',
    title: 'A real person answers.',
    openThen: 'Right away, in your language.',
    laterThen: 'As soon as possible, in your language.',
    lead: 'IT, telephony and cloud for small and medium businesses in Quebec. Call, write or chat: a technician takes care of your request.',
    scene: 'A technician wearing a headset welcomes you at the counter, under a lamp.',
    servicesTitle: 'Everything that keeps a small business running, in one place',
    cloudText: 'Your email, files and backups, hosted in Quebec.',
    serviceText: 'A team that knows your computers by name, on site or from afar.',
    programmingText: 'Tools made for the way you work, and looked after.',
    equipmentText: 'Network, servers, Wi-Fi and phones: chosen, installed, guaranteed.',
    clientsTitle: 'satisfied clients',
    clientsText: 'From Rimouski to Gatineau, summer and winter. Most know us by our first names.',
    vanScene: 'Our service van on a snowy road between fir trees, at dusk.',
    panelsTitle: 'News and notices',
    quote:
      'One Monday at 8:20, not a phone would ring at the clinic. By 9 everything worked, and Mireille called back to make sure.',
    quoteBy: 'Annie Roy, Clinique du Fleuve',
  },
}
