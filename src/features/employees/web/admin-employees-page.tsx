import { EntryList } from '#src/features/content/web/entry-list.tsx'
import { publicationTexts } from '#src/features/content/texts.ts'
import { StateBadge } from '#src/features/content/web/publication-fields.tsx'
import { callApi, getJson } from '#src/ui/api.ts'
import { pickText } from '#src/lib/language/language.ts'
import { Breakable } from '#src/ui/components/breakable.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { adminEmployeeTexts } from '../admin-texts.ts'
import { departmentTexts } from '../texts.ts'
import type { Employee } from '../contract.ts'
import type { Route } from './+types/admin-employees-page.ts'

export { cacheRows as shouldRevalidate } from '#src/features/content/web/entry-list.tsx'

export async function clientLoader() {
  return { employees: await getJson<Employee[]>('/api/employees/employes') }
}

/** `/admin/equipe`: Nom, Titre, Description, Courriel, and the department. */
export default function AdminEmployeesPage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(adminEmployeeTexts)
  const d = useTexts(departmentTexts)
  const p = useTexts(publicationTexts)
  const language = useLanguage()
  const stateOf = ({ publie }: Employee) => p(publie ? 'published' : 'draft')
  const titleOf = (employee: Employee) => pickText(language, employee.titre, employee.titre_en)
  const descriptionOf = (employee: Employee) => pickText(language, employee.description, employee.description_en)
  const departmentsOf = ({ departement, sousdepartement }: Employee) =>
    [...new Set([departement, sousdepartement])].map((one) => d(one)).join(', ')
  return (
    <EntryList
      area="employees"
      title={t('title')}
      createPath="/admin/equipe_nouveau"
      editPath={(employee) => `/admin/equipe_edit/${employee.id_employe}`}
      editLabel={t('edit')}
      rows={loaderData.employees}
      ordered={{ path: '/api/employees/employes/order' }}
      rowKey={(employee) => employee.id_employe}
      rowName={(employee) => employee.nom}
      remove={(employee) => callApi('DELETE', `/api/employees/employes/${employee.id_employe}`)}
      undo={(employee) => callApi('POST', `/api/employees/employes/${employee.id_employe}/undo`)}
      publicPath={(row) => (row.publie ? `/team/employe/${row.id_employe}` : null)}
      exported={[
        { header: t('name'), value: (row) => row.nom },
        { header: t('department'), value: departmentsOf },
        { header: t('jobTitle'), value: (row) => row.titre },
        { header: t('jobTitleEn'), value: (row) => row.titre_en },
        { header: t('email'), value: (row) => row.email },
        { header: t('description'), value: (row) => row.description },
        { header: t('descriptionEn'), value: (row) => row.description_en },
        { header: t('state'), value: stateOf },
      ]}
      columns={[
        {
          header: t('name'),
          cell: (row) => (
            <>
              <span>{row.nom}</span>
              {!row.publie && (
                <span className="ms-2">
                  <StateBadge state="draft">{p('draft')}</StateBadge>
                </span>
              )}
            </>
          ),
          text: (row) => (row.publie ? row.nom : `${row.nom} ${p('draft')}`),
          sortKey: 'nom',
          isRowHeader: true,
        },
        { header: t('department'), cell: departmentsOf, text: departmentsOf, sortKey: 'departement' },
        { header: t('jobTitle'), cell: titleOf, text: titleOf, sortKey: 'titre' },
        {
          header: t('description'),
          isText: true,
          cell: (row) => <span className="line-clamp-2 max-w-md">{descriptionOf(row)}</span>,
          text: descriptionOf,
        },
        { header: t('email'), cell: (row) => <Breakable text={row.email} />, text: (row) => row.email, sortKey: 'courriel' },
      ]}
      emptyTitle={t('empty')}
      emptyHint={t('emptyHint')}
    />
  )
}
