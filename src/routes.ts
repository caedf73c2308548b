import type { RouteConfig } from '@react-router/dev/routes'
import { index, layout, route } from '@react-router/dev/routes'

const tutorialPage = 'features/site/web/pages/tutorial-page.tsx'

// Every component in every state, for who builds pages; the product does not carry it.
const gallery = process.env.NODE_ENV === 'development' ? [route('ui', 'features/site/web/ui-gallery.tsx')] : []

/** Every page address of the product (spec.md 2.1 and 2.2). */
export default [
  layout('features/site/web/public-layout.tsx', [
    index('features/home/web/home-page.tsx'),
    route('reseau', 'features/networks/web/networks-page.tsx'),
    route('appel-de-service', 'features/requests/web/service-call-page.tsx'),
    route('team', 'features/employees/web/team-page.tsx'),
    route('team/employe/:id_employe', 'features/employees/web/employee-page.tsx'),
    route('emploi', 'features/jobs/web/jobs-page.tsx'),
    route('emploi/voir/:id_emploi', 'features/jobs/web/job-page.tsx'),
    route('about', 'features/site/web/pages/about-page.tsx'),
    route('about/personal_information', 'features/site/web/pages/privacy-page.tsx'),
    route('wayOfLife', 'features/site/web/pages/way-of-life-page.tsx'),
    route('cloud', 'features/site/web/pages/cloud-page.tsx'),
    route('service', 'features/site/web/pages/service-page.tsx'),
    route('programmation', 'features/site/web/pages/programmation-page.tsx'),
    route('infrastructure', 'features/site/web/pages/infrastructure-page.tsx'),
    route('support', 'features/site/web/pages/support-page.tsx'),
    route('telecom/docs', 'features/site/web/pages/telecom-docs-page.tsx'),
    route('telecom/phone_tutorial', tutorialPage, { id: 'phone_tutorial' }),
    route('telecom/portal_personnal_tutorial', tutorialPage, { id: 'portal_personnal_tutorial' }),
    route('telecom/soft_phone_tutorial', tutorialPage, { id: 'soft_phone_tutorial' }),
    route('telecom/soft_phone_cell_tutorial', tutorialPage, { id: 'soft_phone_cell_tutorial' }),
    route('contact', 'features/site/web/pages/contact-page.tsx'),
    ...gallery,
    route('login', 'features/auth/web/login-redirect.tsx'),
    route('*', 'features/site/web/not-found-page.tsx'),
  ]),
  route('admin/login', 'features/auth/web/login-page.tsx'),
  route('admin/password', 'features/auth/web/password-page.tsx'),
  route('admin', 'features/site/web/admin-layout.tsx', [
    index('features/site/web/admin-index.tsx'),
    route('chat', 'features/chat/web/admin-chat-page.tsx'),
    route('panel', 'features/site/web/admin-panel-page.tsx'),
    route('profile', 'features/auth/web/profile-page.tsx'),
    route('users', 'features/users/web/admin-users-page.tsx'),
    route('user_nouveau', 'features/users/web/admin-user-create-page.tsx'),
    route('user_edit/:id_user', 'features/users/web/admin-user-edit-page.tsx'),
    route('groups', 'features/groups/web/admin-groups-page.tsx'),
    route('group_nouveau', 'features/groups/web/admin-group-create-page.tsx'),
    route('group_edit/:id_group', 'features/groups/web/admin-group-edit-page.tsx'),
    route('demandes', 'features/requests/web/admin-requests-page.tsx'),
    route('demandes/:id', 'features/requests/web/admin-request-page.tsx'),
    route('equipe', 'features/employees/web/admin-employees-page.tsx'),
    route('equipe_nouveau', 'features/employees/web/admin-employee-create-page.tsx'),
    route('equipe_edit/:id_employe', 'features/employees/web/admin-employee-edit-page.tsx'),
    route('emplois', 'features/jobs/web/admin-jobs-page.tsx'),
    route('emploi_nouveau', 'features/jobs/web/admin-job-create-page.tsx'),
    route('emploi_edit/:id_emploi', 'features/jobs/web/admin-job-edit-page.tsx'),
    route('notes', 'features/notes/web/admin-notes-page.tsx'),
    route('note_nouveau', 'features/notes/web/admin-note-create-page.tsx'),
    route('note_edit/:id_note', 'features/notes/web/admin-note-edit-page.tsx'),
    route('journal', 'features/audit/web/admin-journal-page.tsx'),
    route('reseau', 'features/networks/web/admin-networks-page.tsx'),
    route('reseau_nouveau', 'features/networks/web/admin-network-create-page.tsx'),
    route('reseau_edit/:id_reseau', 'features/networks/web/admin-network-edit-page.tsx'),
  ]),
] satisfies RouteConfig
