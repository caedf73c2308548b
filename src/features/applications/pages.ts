import { route } from '@react-router/dev/routes'

export const applicationPages = {
  admin: [
    route('candidatures', 'features/applications/web/admin-applications-page.tsx'),
    route('candidatures/:id', 'features/applications/web/admin-application-page.tsx'),
  ],
}
