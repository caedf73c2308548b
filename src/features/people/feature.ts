import { defineFeature } from '#src/lib/feature.ts'

declare module '#src/lib/rights.ts' {
  interface Areas {
    users: true
    groups: true
  }
}

export const people = defineFeature({
  areas: { users: { fr: 'Utilisateurs', en: 'Users' }, groups: { fr: 'Groupes d’accès', en: 'Access groups' } },
  presets: { supervisor: { users: 'read_only' } },
  admin: [
    {
      path: '/admin/users',
      label: { fr: 'Utilisateurs', en: 'Users' },
      group: 'system',
      area: 'users',
      panel: { opens: { fr: 'Comptes de l’équipe', en: 'Accounts of the team' } },
    },
    {
      path: '/admin/groups',
      label: { fr: 'Groupes d’accès', en: 'Access groups' },
      group: 'system',
      area: 'groups',
      panel: { opens: { fr: 'Droits de chaque groupe', en: 'Rights of each group' } },
    },
  ],
  actions: [
    {
      path: '/admin/user_nouveau',
      isUsual: true,
      label: { fr: 'Inviter un collègue', en: 'Invite a colleague' },
      words: { fr: 'technicien utilisateur compte ajouter nouveau', en: 'technician user account add new' },
      area: 'users',
    },
    {
      path: '/admin/group_nouveau',
      label: { fr: 'Ajouter un groupe d’accès', en: 'Add an access group' },
      words: { fr: 'droits nouveau', en: 'rights new' },
      area: 'groups',
    },
  ],
  entries: [
    {
      area: 'users',
      label: { fr: 'Utilisateur {id}', en: 'User {id}' },
      path: '/admin/user_edit/:id',
      list: '/api/users/users',
    },
    {
      area: 'groups',
      label: { fr: 'Groupe d’accès {id}', en: 'Access group {id}' },
      path: '/admin/group_edit/:id',
      list: '/api/groups/groups',
    },
  ],
  audit: {
    actions: {
      lock: { fr: 'Verrouillage', en: 'Locked' },
      unlock: { fr: 'Déverrouillage', en: 'Unlocked' },
      'sign in': { fr: 'Connexion', en: 'Signed in' },
      'end sessions': { fr: 'Sessions fermées', en: 'Sessions ended' },
      'update own profile': { fr: 'Profil modifié par l’utilisateur', en: 'Own profile updated' },
      'change own password': { fr: 'Mot de passe changé par l’utilisateur', en: 'Own password changed' },
      'change password': { fr: 'Mot de passe changé', en: 'Password changed' },
      'choose password by link': { fr: 'Mot de passe choisi par lien', en: 'Password chosen by link' },
      'send invitation': { fr: 'Invitation envoyée', en: 'Invitation sent' },
      'reset 2FA': { fr: 'A2F réinitialisée', en: '2FA reset' },
      'reset 2FA chances': { fr: 'Tentatives d’A2F réinitialisées', en: '2FA chances reset' },
      'use up 2FA chances': { fr: 'Tentatives d’A2F épuisées', en: '2FA chances used up' },
      'turn 2FA on': { fr: 'A2F activée', en: '2FA turned on' },
      'turn 2FA off': { fr: 'A2F désactivée', en: '2FA turned off' },
      'renew recovery codes': { fr: 'Codes de secours renouvelés', en: 'Recovery codes renewed' },
      'command create': { fr: 'Compte créé sur le serveur', en: 'Account created on the server' },
      'command reset-password': { fr: 'Mot de passe changé sur le serveur', en: 'Password changed on the server' },
      'command reset-2fa': { fr: 'A2F réinitialisée sur le serveur', en: '2FA reset on the server' },
      'command unlock': { fr: 'Compte déverrouillé sur le serveur', en: 'Account unlocked on the server' },
    },
    values: {
      rights: {
        none: { fr: 'Aucun', en: 'None' },
        read_only: { fr: 'Lecture', en: 'Read only' },
        read_write: { fr: 'Écriture', en: 'Read and write' },
        administrator: { fr: 'Administrateur', en: 'Administrator' },
      },
    },
    fields: {
      enabled: { fr: 'Actif', en: 'Enabled' },
      rights: { fr: 'Droits', en: 'Rights' },
      requires_totp: { fr: 'A2F obligatoire', en: '2FA required' },
      username: { fr: 'Nom d’utilisateur', en: 'Username' },
      first_name: { fr: 'Prénom', en: 'First name' },
      last_name: { fr: 'Nom de famille', en: 'Last name' },
      display_name: { fr: 'Nom affiché', en: 'Display name' },
      id_group: { fr: 'Groupe d’accès', en: 'Access group' },
      languages: { fr: 'Langues', en: 'Languages' },
      id_employe: { fr: 'Fiche d’équipe', en: 'Team profile' },
      locked: { fr: 'Verrouillé', en: 'Locked' },
    },
  },
})
