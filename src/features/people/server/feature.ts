import { meRoutes } from '../account/server/own-account.ts'
import { groupRoutes } from '../groups/server/routes.ts'
import { authRoutes } from '../sign-in/server/routes.ts'
import { userData } from '../users/server/service.ts'
import { userRoutes } from '../users/server/routes.ts'
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
})
