import { route } from '@react-router/dev/routes'

export const gadgetsPages = {
  public: [route('gadgets', 'features/gadgets/web/gadgets-page.tsx')],
  admin: [
    route('gadgets', 'features/gadgets/web/admin-gadgets-page.tsx'),
    route('gadgets/new', 'features/gadgets/web/admin-gadget-page.tsx', { id: 'new-gadget' }),
    route('gadgets/:id_gadget', 'features/gadgets/web/admin-gadget-page.tsx'),
  ],
}
