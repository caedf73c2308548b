import { route } from '@react-router/dev/routes'

export const healthPages = {
  admin: [route('etat', 'features/health/web/admin-health-page.tsx')],
}
