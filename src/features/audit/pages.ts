import { route } from '@react-router/dev/routes'

export const auditPages = {
  admin: [route('journal', 'features/audit/web/admin-audit-log-page.tsx')],
}
