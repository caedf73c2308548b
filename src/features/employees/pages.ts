import { route } from '@react-router/dev/routes'

export const employeesPages = {
  public: [
    route('team', 'features/employees/web/team-page.tsx'),
    route('team/employe/:id_employe', 'features/employees/web/employee-page.tsx'),
  ],
  admin: [
    route('equipe', 'features/employees/web/admin-employees-page.tsx'),
    route('equipe_nouveau', 'features/employees/web/admin-employee-page.tsx', { id: 'new-employee' }),
    route('equipe_edit/:id_employe', 'features/employees/web/admin-employee-page.tsx'),
  ],
}
