/** Invented content of a demonstration site; only inserted into an empty database. */
export const sampleContent = {
  networks: [
    {
      nom: 'Québec–Centre',
      status: 'ONLINE',
      details: [
        { nom: 'Fibre Québec', nom_en: 'Quebec fiber', statut: 'OK' },
        { nom: 'Téléphonie IP', nom_en: 'IP telephony', statut: 'WARNING' },
        { nom: 'Courriel hébergé', nom_en: 'Hosted email', statut: 'OK' },
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
        { nom: 'Fibre Montréal', nom_en: 'Montreal fiber', statut: 'OK' },
        { nom: 'Réseau privé virtuel', nom_en: 'Virtual private network', statut: 'OK' },
      ],
    },
  ],
  notes: [
    {
      note_date: '2026-11-20, 8:40',
      note: 'La téléphonie IP de Québec–Centre connaît des coupures brèves. Nos techniciens remplacent un commutateur; fin prévue à 14 h.',
      note_en: 'IP telephony in Québec–Centre drops briefly. Our technicians are replacing a switch; expected to end at 2 PM.',
    },
    {
      note_date: '2026-11-12',
      note: 'L’entretien du centre de données de la Mauricie s’est terminé sans interruption.',
      note_en: 'Maintenance of the Mauricie data center ended without interruption.',
    },
  ],
  employees: [
    {
      nom: 'Zoé Lavallée',
      departement: 'TECHNICIENS',
      sousdepartement: 'TELECOM',
      titre: 'Technicienne réseau',
      titre_en: 'Network technician',
      email: 'zoe.lavallee@example.com',
      description:
        'Zoé connaît chaque armoire de câblage de la Mauricie. Elle répond au guichet du lundi au jeudi et forme nos nouveaux techniciens le vendredi.',
      description_en:
        'Zoé knows every wiring closet in Mauricie. She answers at the counter from Monday to Thursday and trains our new technicians on Fridays.',
    },
    {
      nom: 'Marc-André Pelletier',
      departement: 'DIRECTEUR',
      sousdepartement: 'ADMINISTRATION',
      titre: 'Directeur général',
      titre_en: 'General manager',
      email: 'marc-andre.pelletier@example.com',
      description: 'Marc-André a posé le premier serveur de l’entreprise. Il rencontre lui-même chaque nouveau client.',
      description_en: 'Marc-André installed the company’s first server. He meets every new client himself.',
    },
    {
      nom: 'Annick Tremblay',
      departement: 'ADMINISTRATION',
      sousdepartement: 'ADMINISTRATION',
      titre: 'Conseillère en ressources humaines',
      titre_en: 'Human resources advisor',
      email: 'annick.tremblay@example.com',
      description: 'Annick accueille les candidats, les stagiaires et les nouveaux collègues. Sa porte est toujours ouverte.',
      description_en: 'Annick welcomes candidates, interns and new colleagues. Her door is always open.',
    },
    {
      nom: 'Samuel Nguyen',
      departement: 'PROGRAMMATION',
      sousdepartement: 'PROGRAMMATION',
      titre: 'Programmeur-analyste',
      titre_en: 'Programmer analyst',
      email: 'samuel.nguyen@example.com',
      description: 'Samuel transforme les fichiers Excel qui débordent en outils que toute une équipe peut utiliser.',
      description_en: 'Samuel turns overflowing spreadsheets into tools a whole team can use.',
    },
    {
      nom: 'Mireille Gagnon',
      departement: 'SERVICE À LA CLIENTÈLE',
      sousdepartement: 'TECHNICIENS',
      titre: 'Cheffe d’équipe, service à la clientèle',
      titre_en: 'Customer service team lead',
      email: 'mireille.gagnon@example.com',
      description: 'Mireille répond au premier appel du matin depuis douze ans, et retient le prénom de chacun.',
      description_en: 'Mireille has taken the first call of the morning for twelve years, and remembers everyone’s first name.',
    },
    {
      nom: 'Karim Haddad',
      departement: 'VENTES',
      sousdepartement: 'VENTES',
      titre: 'Conseiller aux entreprises',
      titre_en: 'Business advisor',
      email: 'karim.haddad@example.com',
      description: 'Karim dit non quand un client n’a pas besoin de ce qu’il demande. C’est pour cela qu’on le rappelle.',
      description_en: 'Karim says no when a client does not need what they ask for. That is why they call back.',
    },
    {
      nom: 'Josée Bouchard',
      departement: 'TELECOM',
      sousdepartement: 'TECHNICIENS',
      titre: 'Spécialiste en téléphonie IP',
      titre_en: 'IP telephony specialist',
      email: 'josee.bouchard@example.com',
      description: 'Josée a branché des téléphones dans des cliniques, des érablières et un phare.',
      description_en: 'Josée has connected phones in clinics, sugar shacks and a lighthouse.',
    },
    {
      nom: 'David Lachance',
      departement: 'TECHNICIENS',
      sousdepartement: 'TECHNICIENS',
      titre: 'Technicien en infonuagique',
      titre_en: 'Cloud technician',
      email: 'david.lachance@example.com',
      description: 'David surveille les sauvegardes de nuit et teste une restauration chaque semaine.',
      description_en: 'David watches over the night’s backups and tests a restore every week.',
    },
  ],
  jobs: [
    {
      titre: 'Technicienne ou technicien réseau',
      titre_en: 'Network technician',
      employment_type: 'FULL_TIME' as const,
      description:
        '<p>Vous aimez trouver pourquoi « ça ne marche plus » et l’expliquer simplement? Nos clients de Québec et de la Mauricie vous attendent.</p><h3>Vos journées</h3><ul><li>Répondre aux appels de service et au clavardage</li><li>Installer et dépanner commutateurs, pare-feu et bornes Wi-Fi</li><li>Documenter ce que vous réglez</li></ul><h3>Ce que nous offrons</h3><ul><li>De 58 000 $ à 74 000 $ selon l’expérience</li><li>Quatre semaines de vacances dès la première année</li><li>Télétravail deux jours par semaine</li></ul><p>Un diplôme en informatique aide; la curiosité compte davantage.</p>',
      description_en:
        '<p>Do you like to find out why “it stopped working” and explain it simply? Our clients in Quebec City and Mauricie are waiting for you.</p><h3>Your days</h3><ul><li>Answer service calls and live chats</li><li>Install and repair switches, firewalls and Wi-Fi access points</li><li>Document what you fix</li></ul><h3>What we offer</h3><ul><li>From $58,000 to $74,000 depending on experience</li><li>Four weeks of vacation from the first year</li><li>Remote work two days a week</li></ul><p>A diploma in computing helps; curiosity counts more.</p>',
    },
    {
      titre: 'Conseillère ou conseiller en téléphonie IP',
      titre_en: 'IP telephony advisor',
      employment_type: 'FULL_TIME' as const,
      description:
        '<p>Vous accompagnez des PME qui quittent leur vieux système téléphonique.</p><ul><li>Analyser les besoins chez le client</li><li>Préparer la soumission et le plan de transfert des numéros</li><li>Former les utilisateurs le jour de la mise en service</li></ul><p>Permis de conduire valide et bonne humeur au téléphone exigés.</p>',
      description_en:
        '<p>You guide small businesses as they leave their old phone system.</p><ul><li>Analyze needs at the client’s office</li><li>Prepare the quote and the number transfer plan</li><li>Train users on launch day</li></ul><p>A valid driver’s licence and a good telephone mood are required.</p>',
    },
  ],
  // Tones, not voices, as their names say.
  recordings: [
    {
      file: 'exemple-1.wav',
      hoursAgo: 2,
      seconds: 42,
      direction: 'in',
      caller: '4185550123',
      callee: '101',
      agent: 'David Lachance',
    },
    {
      file: 'exemple-2.wav',
      hoursAgo: 5,
      seconds: 65,
      direction: 'out',
      caller: '102',
      callee: '8195550145',
      agent: 'Josée Bouchard',
    },
    {
      file: 'exemple-3.wav',
      hoursAgo: 27,
      seconds: 18,
      direction: 'internal',
      caller: '101',
      callee: '102',
      agent: 'David Lachance',
    },
    { file: 'exemple-4.wav', hoursAgo: 54, seconds: 30, direction: 'in', caller: '5145550167', callee: '600', agent: '' },
    {
      file: 'exemple-5.wav',
      hoursAgo: 740,
      seconds: 24,
      direction: 'out',
      caller: '101',
      callee: '4505550112',
      agent: 'David Lachance',
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
