import type { ImpersonalColumns, PersonalColumns } from '#src/server/personal-data.ts'
import { groups, passwordLinks, recoveryCodes, sessions, users } from './table.ts'

export const personalColumns: readonly PersonalColumns[] = [
  {
    whose: ['staff'],
    columns: [users.username, users.firstName, users.lastName, users.email, users.languages],
    purpose: {
      fr: 'Reconnaître la personne, lui donner ses droits et lui écrire; savoir dans quelles langues elle sert les visiteurs.',
      en: 'Recognize the person, give them their rights and write to them; know in which languages they serve visitors.',
    },
    seenBy: ['users', 'own'],
  },
  {
    whose: ['staff'],
    columns: [users.displayName, users.imageUrl, users.color],
    purpose: {
      fr: 'Montrer aux visiteurs du clavardage, aux clients et aux collègues qui leur répond.',
      en: 'Show visitors of the live chat, customers and colleagues who replies to them.',
    },
    seenBy: ['public', 'users', 'own'],
  },
  {
    whose: ['staff'],
    columns: [users.passwordHash, recoveryCodes.userId, recoveryCodes.codeHash],
    purpose: { fr: 'Vérifier le mot de passe et les codes de secours.', en: 'Check the password and the recovery codes.' },
    seenBy: [],
    protection: 'password hash',
  },
  {
    whose: ['staff'],
    columns: [users.totpSecret],
    purpose: { fr: 'Vérifier le code de l’A2F.', en: 'Check the 2FA code.' },
    seenBy: [],
    protection: 'encrypted',
  },
  {
    whose: ['staff'],
    columns: [passwordLinks.userId, passwordLinks.tokenHash],
    purpose: { fr: 'Choisir un mot de passe par un lien.', en: 'Choose a password by a link.' },
    seenBy: [],
    protection: 'hash',
    ends: {
      fr: 'Le lien expire après 24 heures et sert une fois; son empreinte est supprimée au prochain lien.',
      en: 'The link expires after 24 hours and works once; its hash is deleted with the next link.',
    },
  },
  {
    whose: ['staff'],
    columns: [sessions.idHash],
    purpose: { fr: 'Reconnaître une session ouverte.', en: 'Recognize an open session.' },
    seenBy: [],
    protection: 'hash',
    ends: {
      fr: 'La session est supprimée quand elle expire : après 8 heures sans activité, et 24 heures en tout.',
      en: 'The session is deleted when it expires: after 8 idle hours, and 24 hours in all.',
    },
  },
  {
    whose: ['staff'],
    columns: [sessions.userId, sessions.address, sessions.userAgent],
    purpose: {
      fr: 'Montrer à la personne ses sessions ouvertes, par l’adresse IP et le navigateur, pour qu’elle ferme celles qu’elle ne reconnaît pas.',
      en: 'Show the person their open sessions, by IP address and browser, so that they close those they do not recognize.',
    },
    seenBy: ['own'],
    ends: { fr: 'Avec la session.', en: 'With the session.' },
  },
]

export const impersonalColumns: readonly ImpersonalColumns[] = [
  { columns: [groups.name, groups.rights], reason: 'names of groups and what they may do' },
  { columns: [users.imported], reason: 'switches of an account that an export brought' },
]
