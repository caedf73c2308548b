import { route } from '@react-router/dev/routes'

const text = 'features/pages/web/text-page.tsx'
const tutorial = 'features/pages/web/tutorial-page.tsx'

export const pagesPages = {
  public: [
    route('about', text, { id: 'about' }),
    route('about/personal_information', 'features/pages/web/privacy-page.tsx'),
    route('about/accessibility', 'features/pages/web/accessibility-page.tsx'),
    route('wayOfLife', 'features/pages/web/way-of-life-page.tsx'),
    route('cloud', text, { id: 'cloud' }),
    route('service', text, { id: 'service' }),
    route('programmation', text, { id: 'programmation' }),
    route('infrastructure', text, { id: 'infrastructure' }),
    route('support', 'features/pages/web/support-page.tsx'),
    route('telecom/docs', 'features/pages/web/telecom-docs-page.tsx'),
    route('telecom/phone_tutorial', tutorial, { id: 'phone_tutorial' }),
    route('telecom/portal_personnal_tutorial', tutorial, { id: 'portal_personnal_tutorial' }),
    route('telecom/soft_phone_tutorial', tutorial, { id: 'soft_phone_tutorial' }),
    route('telecom/soft_phone_cell_tutorial', tutorial, { id: 'soft_phone_cell_tutorial' }),
    route('contact', 'features/pages/web/contact-page.tsx'),
  ],
  admin: [
    route('textes', 'features/pages/web/admin-texts-page.tsx'),
    route('texte_edit/:id_text', 'features/pages/web/admin-text-page.tsx'),
    route('recherche_partage', 'features/pages/descriptions/web/admin-descriptions-page.tsx'),
    route('recherche_partage/:key', 'features/pages/descriptions/web/admin-description-page.tsx'),
  ],
}
