/** What an empty demonstration site shows; invented, and never put on a database that holds anything. */
export const sampleContent = {
  networks: [
    {
      nom: 'Québec–Centre',
      status: 'ONLINE',
      details: [
        { nom: 'Fibre Québec', nom_en: 'Quebec fibre', statut: 'OK' },
        { nom: 'Téléphonie IP', nom_en: 'IP telephony', statut: 'WARNING' },
        { nom: 'Courriel hébergé', nom_en: 'Hosted e-mail', statut: 'OK' },
      ],
    },
    {
      nom: 'Centre de données de la Mauricie',
      status: 'ONLINE',
      details: [
        { nom: 'Serveurs virtuels', nom_en: 'Virtual servers', statut: 'OK' },
        { nom: 'Sauvegardes', nom_en: 'Backups', statut: 'OK' },
        { nom: 'Alimentation électrique', nom_en: 'Power', statut: 'OK' },
      ],
    },
    {
      nom: 'Montréal–Est',
      status: 'ONLINE',
      details: [
        { nom: 'Fibre Montréal', nom_en: 'Montreal fibre', statut: 'OK' },
        { nom: 'Réseau privé virtuel', nom_en: 'Virtual private network', statut: 'OK' },
      ],
    },
  ],
  notes: [
    {
      note_date: '20 novembre 2026, 8 h 40',
      note: 'La téléphonie IP de Québec–Centre connaît des coupures brèves. Nos techniciens remplacent un commutateur ; fin prévue à 14 h.',
      note_en: 'IP telephony in Québec–Centre drops briefly. Our technicians are replacing a switch; expected end at 2 p.m.',
    },
    {
      note_date: '12 novembre 2026',
      note: 'L’entretien du centre de données de la Mauricie s’est terminé sans interruption.',
      note_en: 'Maintenance of the Mauricie data centre ended without interruption.',
    },
  ],
  homeMessage: null,
  homeInformation: {
    title: 'Horaire des Fêtes',
    title_en: 'Holiday hours',
    description: '<p>Le guichet ferme à midi les 24 et 31 décembre. Le service d’urgence 24/7 demeure ouvert.</p>',
    description_en: '<p>The counter closes at noon on December 24 and 31. The 24/7 emergency service stays open.</p>',
  },
} as const
