import { route } from '@react-router/dev/routes'

const incident = 'features/privacy/web/incident-page.tsx'

const demand = 'features/privacy/web/demand-page.tsx'

export const privacyPages = {
  admin: [
    route('privacy', 'features/privacy/web/privacy-page.tsx'),
    route('registre', 'features/privacy/web/demands-page.tsx'),
    route('registre_nouveau', demand, { id: 'registre_nouveau' }),
    route('registre_edit/:id_demand', demand, { id: 'registre_edit' }),
    route('incidents', 'features/privacy/web/incidents-page.tsx'),
    route('incident_nouveau', incident, { id: 'incident_nouveau' }),
    route('incident_edit/:id_incident', incident, { id: 'incident_edit' }),
  ],
}
