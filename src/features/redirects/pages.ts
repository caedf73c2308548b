import { route } from '@react-router/dev/routes'

export const redirectsPages = { admin: [route('redirects', 'features/redirects/web/admin-redirects-page.tsx')] }
