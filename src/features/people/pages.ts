import { route } from '@react-router/dev/routes'

// Each page serves both new and existing entries.
const userPage = 'features/people/users/web/admin-user-page.tsx'
const groupPage = 'features/people/groups/web/admin-group-page.tsx'

export const peoplePages = {
  public: [route('login', 'features/people/sign-in/web/login-redirect.tsx')],
  bare: [
    route('admin/login', 'features/people/sign-in/web/login-page.tsx'),
    route('admin/password', 'features/people/sign-in/web/password-page.tsx'),
  ],
  admin: [
    route('profile', 'features/people/account/web/profile-page.tsx'),
    route('users', 'features/people/users/web/admin-users-page.tsx'),
    route('user_nouveau', userPage, { id: 'user_nouveau' }),
    route('user_edit/:id_user', userPage, { id: 'user_edit' }),
    route('groups', 'features/people/groups/web/admin-groups-page.tsx'),
    route('group_nouveau', groupPage, { id: 'group_nouveau' }),
    route('group_edit/:id_group', groupPage, { id: 'group_edit' }),
  ],
}
