import type { Command } from '#src/server/command-line/command.ts'
import { defineCommand } from '#src/server/command-line/command.ts'

const name = { name: 'name', summary: { fr: 'nom d’utilisateur', en: 'username' } }
const load = () => import('./run-admin.ts')

/** For the server administrator, where nobody can sign in. */
export const adminCommands: readonly Command[] = [
  defineCommand({
    name: 'admin create',
    summary: { fr: 'Créer un administrateur', en: 'Create an administrator' },
    details: {
      fr: 'Affiche un lien, valide une fois, où choisir son mot de passe; avec ADMIN_PASSWORD, ce mot de passe est utilisé.',
      en: 'Prints a link, valid once, to choose a password; with ADMIN_PASSWORD, that password is used.',
    },
    arguments: [name],
    examples: ['admin create zoe'],
    load: async () => ({ run: (await load()).runAdmin('create') }),
  }),
  defineCommand({
    name: 'admin reset-password',
    summary: { fr: 'Redonner un mot de passe', en: 'Reset a password' },
    arguments: [name],
    examples: ['admin reset-password zoe'],
    load: async () => ({ run: (await load()).runAdmin('reset-password') }),
  }),
  defineCommand({
    name: 'admin reset-2fa',
    summary: { fr: 'Retirer l’A2F d’un utilisateur', en: 'Remove the 2FA of a user' },
    arguments: [name],
    examples: ['admin reset-2fa zoe'],
    load: async () => ({ run: (await load()).runAdmin('reset-2fa') }),
  }),
  defineCommand({
    name: 'admin unlock',
    summary: { fr: 'Déverrouiller un utilisateur', en: 'Unlock a user' },
    arguments: [name],
    examples: ['admin unlock zoe'],
    load: async () => ({ run: (await load()).runAdmin('unlock') }),
  }),
]
