import { route } from '@react-router/dev/routes'

const incident = 'features/privacy/web/incident-page.tsx'

export const privacyPages = {
  admin: [
    route('privacy', 'features/privacy/web/privacy-page.tsx'),
    route('incidents', 'features/privacy/web/incidents-page.tsx'),
    route('incident_nouveau', incident, { id: 'incident_nouveau' }),
    route('incident_edit/:id_incident', incident, { id: 'incident_edit' }),
  ],
}
