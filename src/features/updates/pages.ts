import { route } from '@react-router/dev/routes'

export const updatesPages = {
  admin: [route('parameters/updater', 'features/updates/web/admin-updater-page.tsx')],
}
