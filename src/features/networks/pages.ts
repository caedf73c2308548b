import { route } from '@react-router/dev/routes'

export const networksPages = {
  public: [
    route('reseau', 'features/networks/web/networks-page.tsx'),
    route('reseau/incident/:id_incident', 'features/networks/web/incident-page.tsx'),
    route('reseau/abonnement/:token', 'features/networks/web/subscription-page.tsx'),
  ],
  admin: [
    route('reseau', 'features/networks/web/admin-networks-page.tsx'),
    route('reseau_nouveau', 'features/networks/web/admin-network-page.tsx', { id: 'new-network' }),
    route('reseau/pannes', 'features/networks/web/admin-outages-page.tsx'),
    route('reseau/pannes/nouvelle', 'features/networks/web/admin-outage-page.tsx', { id: 'new-outage' }),
    route('reseau/pannes/:id_incident', 'features/networks/web/admin-outage-page.tsx'),
    route('annonces', 'features/networks/announcements/web/admin-announcements-page.tsx'),
    route('annonce_nouvelle', 'features/networks/announcements/web/admin-announcement-page.tsx'),
    route('reseau/abonnes', 'features/networks/web/admin-subscribers-page.tsx'),
    route('reseau/surveillance', 'features/networks/monitors/web/admin-monitors-page.tsx'),
    route('reseau/surveillance/nouvelle', 'features/networks/monitors/web/admin-monitor-page.tsx', { id: 'new-monitor' }),
    route('reseau/surveillance/:id_monitor', 'features/networks/monitors/web/admin-monitor-page.tsx'),
    route('reseau_edit/:id_reseau', 'features/networks/web/admin-network-page.tsx'),
  ],
}
