import { defineTexts } from '#src/lib/language/texts.ts'

/** To who asked, in both languages: the language of a user is only known in their browser. */
export const exportMail = {
  fr: {
    subject: 'Votre exportation est prête',
    body: 'L’archive de toutes les données peut être téléchargée une fois, pendant 24 heures :\n{address}',
  },
  en: {
    subject: 'Your export is ready',
    body: 'The archive of all data can be downloaded once, for 24 hours:\n{address}',
  },
}

export const exportTexts = defineTexts({
  fr: {
    title: 'Exporter',
    intro:
      'Une archive ZIP de toutes les données en formats ouverts : JSON Lines avec leur schéma, fichiers, sommes de contrôle.',
    without:
      'Elle ne contient ni mots de passe ni autres secrets. Conservez-la en lieu sûr : elle contient des renseignements personnels.',
    start: 'Préparer l’archive',
    waiting: 'En attente',
    running: 'En cours',
    ready: 'Prête',
    fetched: 'Téléchargée',
    failed: 'Échouée',
    stopped: 'Arrêtée',
    failedHint: 'L’archive n’a pas pu être écrite. Vérifiez l’espace disque, puis réessayez.',
    rows: '{count} {count|fiche|fiches}',
    stop: 'Arrêter',
    download: 'Télécharger ({size})',
    until: 'Une fois, jusqu’au {when}',
    former: 'Exportations récentes',
    empty: 'Aucune exportation pour le moment',
    emptyHint: 'Cliquez sur Préparer l’archive. Un courriel vous avise dès qu’elle est prête.',
    progress: 'Avancement de l’exportation',
  },
  en: {
    title: 'Export',
    intro: 'A ZIP archive of all data in open formats: JSON Lines with their schema, files, checksums.',
    without: 'It contains no passwords and no other secrets. Store it in a safe place: it contains personal information.',
    start: 'Prepare archive',
    waiting: 'Waiting',
    running: 'In progress',
    ready: 'Ready',
    fetched: 'Downloaded',
    failed: 'Failed',
    stopped: 'Stopped',
    failedHint: 'The archive could not be written. Check the disk space, then try again.',
    rows: '{count} {count|entry|entries}',
    stop: 'Stop',
    download: 'Download ({size})',
    until: 'Once, until {when}',
    former: 'Recent exports',
    empty: 'No exports yet',
    emptyHint: 'Select Prepare archive. An email notifies you as soon as it is ready.',
    progress: 'Progress of the export',
  },
})
