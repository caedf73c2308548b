import { route } from '@react-router/dev/routes'

export const recordingsPages = {
  admin: [
    route('recordings', 'features/recordings/web/admin-recordings-page.tsx'),
    route('recordings/settings', 'features/recordings/web/admin-recording-settings-page.tsx'),
  ],
}
