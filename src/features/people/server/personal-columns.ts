import type { ImpersonalColumns, PersonalColumns } from '#src/server/personal-data.ts'
import { groups, passwordLinks, recoveryCodes, sessions, users } from './table.ts'

export const personalColumns: readonly PersonalColumns[] = [
  {
    whose: ['staff'],
    columns: [users.username, users.firstName, users.lastName, users.email, users.languages],
    purpose: 'Recognize the person, give them their rights and write to them; know in which languages they serve visitors.',
    seenBy: ['users', 'own'],
  },
  {
    whose: ['staff'],
    columns: [users.displayName, users.imageUrl, users.color],
    purpose: 'Show visitors of the live chat, customers and colleagues who replies to them.',
    seenBy: ['public', 'users', 'own'],
  },
  {
    whose: ['staff'],
    columns: [users.passwordHash, recoveryCodes.userId, recoveryCodes.codeHash],
    purpose: 'Check the password and the recovery codes.',
    seenBy: [],
    protection: 'password hash',
  },
  {
    whose: ['staff'],
    columns: [users.totpSecret],
    purpose: 'Check the 2FA code.',
    seenBy: [],
    protection: 'encrypted',
  },
  {
    whose: ['staff'],
    columns: [passwordLinks.userId, passwordLinks.tokenHash],
    purpose: 'Choose a password by a link.',
    seenBy: [],
    protection: 'hash',
    ends: 'The link expires after 24 hours and works once; its hash is deleted with the next link.',
  },
  {
    whose: ['staff'],
    columns: [sessions.idHash],
    purpose: 'Recognize an open session.',
    seenBy: [],
    protection: 'hash',
    ends: 'The session is deleted when it expires: after 8 idle hours, and 24 hours in all.',
  },
  {
    whose: ['staff'],
    columns: [sessions.userId, sessions.address, sessions.userAgent],
    purpose: 'Show the person their open sessions, by IP address and browser, so that they close those they do not recognize.',
    seenBy: ['own'],
    ends: 'With the session.',
  },
]

export const impersonalColumns: readonly ImpersonalColumns[] = [
  { columns: [groups.name, groups.rights], reason: 'names of groups and what they may do' },
  { columns: [users.imported], reason: 'switches of an account that an export brought' },
]
