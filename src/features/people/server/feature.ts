import { meRoutes } from '../account/server/own-account.ts'
import { groupRoutes } from '../groups/server/routes.ts'
import { authRoutes } from '../sign-in/server/routes.ts'
import { userData } from '../users/server/service.ts'
import { userRoutes } from '../users/server/routes.ts'
import { groups, users } from './table.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { people } from '../feature.ts'

export const peopleServer = serverFeature(people, {
  api: {
    '/api/auth': authRoutes,
    '/api/auth/me': meRoutes,
    '/api/users/users': userRoutes,
    '/api/groups/groups': groupRoutes,
  },
  personalData: [userData],
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
