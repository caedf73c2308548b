import { route } from '@react-router/dev/routes'

export const privacyPages = {
  admin: [
    route('privacy', 'features/privacy/web/privacy-page.tsx'),
    route('incidents', 'features/privacy/web/incidents-page.tsx'),
    route('incident_nouveau', 'features/privacy/web/incident-create-page.tsx'),
    route('incident_edit/:id_incident', 'features/privacy/web/incident-edit-page.tsx'),
  ],
}
