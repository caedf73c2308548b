import { route } from '@react-router/dev/routes'

export const peoplePages = {
  public: [route('login', 'features/people/sign-in/web/login-redirect.tsx')],
  bare: [
    route('admin/login', 'features/people/sign-in/web/login-page.tsx'),
    route('admin/password', 'features/people/sign-in/web/password-page.tsx'),
  ],
  admin: [
    route('profile', 'features/people/account/web/profile-page.tsx'),
    route('users', 'features/people/users/web/admin-users-page.tsx'),
    route('user_nouveau', 'features/people/users/web/admin-user-create-page.tsx'),
    route('user_edit/:id_user', 'features/people/users/web/admin-user-edit-page.tsx'),
    route('groups', 'features/people/groups/web/admin-groups-page.tsx'),
    route('group_nouveau', 'features/people/groups/web/admin-group-create-page.tsx'),
    route('group_edit/:id_group', 'features/people/groups/web/admin-group-edit-page.tsx'),
  ],
}
