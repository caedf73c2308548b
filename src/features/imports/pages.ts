import { route } from '@react-router/dev/routes'

export const importPages = {
  admin: [
    route('importer', 'features/imports/web/admin-imports-page.tsx'),
    route('importer/:id', 'features/imports/web/admin-import-page.tsx'),
  ],
}
