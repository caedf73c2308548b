import { route } from '@react-router/dev/routes'

export const jobsPages = {
  public: [route('emploi', 'features/jobs/web/jobs-page.tsx'), route('emploi/voir/:id_emploi', 'features/jobs/web/job-page.tsx')],
  admin: [
    route('emplois', 'features/jobs/web/admin-jobs-page.tsx'),
    route('emploi_nouveau', 'features/jobs/web/admin-job-page.tsx', { id: 'new-job' }),
    route('emploi_edit/:id_emploi', 'features/jobs/web/admin-job-page.tsx'),
  ],
}
