import { route } from '@react-router/dev/routes'

export const exportsPages = { admin: [route('exports', 'features/exports/web/admin-exports-page.tsx')] }
