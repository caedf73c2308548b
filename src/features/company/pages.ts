import { route } from '@react-router/dev/routes'

export const companyPages = { admin: [route('entreprise', 'features/company/web/admin-company-page.tsx')] }
