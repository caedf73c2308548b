import type { RouteConfig } from '@react-router/dev/routes'
import { index, layout, route } from '@react-router/dev/routes'

/** Every page address of the product (spec.md 2.1 and 2.2). */
export default [
  layout('features/site/web/public-layout.tsx', [
    index('features/home/web/home-page.tsx'),
    route('reseau', 'features/networks/web/networks-page.tsx'),
    route('login', 'features/auth/web/login-redirect.tsx'),
    route('*', 'features/site/web/not-found-page.tsx'),
  ]),
  route('admin/login', 'features/auth/web/login-page.tsx'),
  route('admin', 'features/site/web/admin-layout.tsx', [
    index('features/site/web/admin-index.tsx'),
    route('panel', 'features/site/web/admin-panel-page.tsx'),
    route('reseau', 'features/networks/web/admin-networks-page.tsx'),
    route('reseau_nouveau', 'features/networks/web/admin-network-create-page.tsx'),
    route('reseau_edit/:id_reseau', 'features/networks/web/admin-network-edit-page.tsx'),
  ]),
] satisfies RouteConfig
