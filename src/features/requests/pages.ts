import { route } from '@react-router/dev/routes'

export const requestsPages = {
  public: [
    route('appel-de-service', 'features/requests/web/service-call-page.tsx'),
    route('suivi/:token', 'features/requests/web/customer-page.tsx'),
  ],
  admin: [
    route('demandes', 'features/requests/web/admin-requests-page.tsx'),
    route('demandes/settings', 'features/requests/web/admin-request-settings-page.tsx'),
    route('demandes/:id', 'features/requests/web/admin-request-page.tsx'),
  ],
}
