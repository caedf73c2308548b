import { impersonalColumns, personalColumns } from './personal-columns.ts'
import { meRoutes } from '../account/server/own-account.ts'
import { groupRoutes } from '../groups/server/routes.ts'
import { authRoutes } from '../sign-in/server/routes.ts'
import { userData } from '../users/server/service.ts'
import { userRoutes } from '../users/server/routes.ts'
import { userImporter } from '../users/server/importer.ts'
import { groups, users } from './table.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { firstMatches, sameName } from '#src/features/content/palette/server/routes.ts'
import { people } from '../feature.ts'
import { asc, eq, ne } from 'drizzle-orm'
import { hasRight } from '#src/lib/rights.ts'

export const peopleServer = serverFeature(people, {
  api: {
    '/api/auth': authRoutes,
    '/api/auth/me': meRoutes,
    '/api/users/users': userRoutes,
    '/api/groups/groups': groupRoutes,
  },
  importers: [userImporter],
  personalData: [userData],
  async findSetup({ db }, { userId, rights }) {
    const [own] = await db.select({ isOn: users.totpEnabled }).from(users).where(eq(users.id, userId))
    const second = {
      name: 'totp',
      short: { fr: 'A2F', en: '2FA' },
      label: { fr: 'Authentification à deux facteurs', en: 'Two-factor authentication' },
      hint: {
        fr: 'Un mot de passe volé suffit pour ouvrir votre compte.',
        en: 'A stolen password is enough to open your account.',
      },
      path: '/admin/profile',
      is_done: own?.isOn ?? false,
    }
    if (!hasRight(rights, 'users', 'administrator')) return [second]
    const others = await db.select({ id: users.id }).from(users).where(ne(users.id, userId)).limit(1)
    const colleague = {
      name: 'colleague',
      short: { fr: 'Collègue', en: 'Colleague' },
      label: { fr: 'Premier collègue', en: 'First colleague' },
      hint: { fr: 'Vous êtes la seule personne à avoir un compte.', en: 'You are the only person with an account.' },
      path: '/admin/user_nouveau',
      is_done: others.length > 0,
    }
    return [colleague, second]
  },
  async findInPalette({ db }, { rights }, search) {
    const mayOpen = (area: 'users' | 'groups') => hasRight(rights, area, 'read_only')
    const accounts = mayOpen('users') ? await db.select().from(users).orderBy(asc(users.displayName), asc(users.id)) : []
    const named = mayOpen('groups') ? await db.select().from(groups).orderBy(asc(groups.name)) : []
    const textOf = (user: (typeof accounts)[number]) =>
      `${user.displayName} ${user.username} ${user.firstName} ${user.lastName} ${user.email}`
    return [
      ...firstMatches(accounts, search, textOf).map(({ id, displayName, username }) => ({
        group: 'people' as const,
        label: sameName(displayName),
        hint: { fr: `Compte ${username}`, en: `Account ${username}` },
        path: `/admin/user_edit/${id}`,
        page: '/admin/users',
      })),
      ...firstMatches(named, search, ({ name }) => name).map(({ id, name }) => ({
        group: 'people' as const,
        label: sameName(name),
        hint: { fr: 'Groupe d’accès', en: 'Access group' },
        path: `/admin/group_edit/${id}`,
        page: '/admin/groups',
      })),
    ]
  },
  personalColumns,
  impersonalColumns,
  tableEnds: [
    {
      tables: [users, groups],
      label: { fr: 'Utilisateurs et groupes d’accès', en: 'Users and access groups' },
      reason: {
        fr: 'Le personnel supprime les comptes et les groupes qui ne servent plus.',
        en: 'Staff delete accounts and groups that are no longer used.',
      },
    },
  ],
  pictureTables: [users],
})
