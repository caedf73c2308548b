import { route } from '@react-router/dev/routes'

export const visitsPages = { admin: [route('frequentation', 'features/visits/web/admin-visits-page.tsx')] }
