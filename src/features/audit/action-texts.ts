import { defineTexts } from '#src/lib/language/texts.ts'

/** Operations by the name their lines bear; one that is not here shows itself. */
export const actionTexts = defineTexts({
  fr: {
    create: 'Création',
    update: 'Modification',
    delete: 'Suppression',
    restore: 'Restauration',
    export: 'Exportation',
    'change secret': 'Clé secrète remplacée sur le serveur',
  },
  en: {
    create: 'Created',
    update: 'Updated',
    delete: 'Deleted',
    restore: 'Restored',
    export: 'Export',
    'change secret': 'Secret key replaced on the server',
  },
})

/** Fields of entries; one that is not here shows its own name. */
export const fieldTexts = defineTexts({
  fr: {
    nom: 'Nom',
    titre: 'Titre',
    titre_en: 'Titre (Anglais)',
    title: 'Titre',
    title_en: 'Titre (Anglais)',
    email: 'Courriel',
    description: 'Description',
    description_en: 'Description (Anglais)',
    status: 'Statut',
    message: 'Message',
    message_en: 'Message (Anglais)',
    name: 'Nom',
  },
  en: {
    nom: 'Name',
    titre: 'Title',
    titre_en: 'Title (English)',
    title: 'Title',
    title_en: 'Title (English)',
    email: 'Email',
    description: 'Description',
    description_en: 'Description (English)',
    status: 'Status',
    message: 'Message',
    message_en: 'Message (English)',
    name: 'Name',
  },
})
