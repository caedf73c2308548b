import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageContext } from '#src/ui/page/page-context.ts'
import { orNotFound, readId } from '#src/ui/page/page-errors.tsx'
import { languageOf, missingPageTags, pageTags } from '#src/ui/page/page-meta.ts'
import { pickText } from '#src/lib/language/language.ts'
import { summarize } from '#src/lib/text/summary.ts'
import { getJson } from '#src/ui/api.ts'
import type { Employee } from '../contract.ts'
import type { Route } from './+types/employee-page.ts'
import { EmployeeProfile } from './employee-profile.tsx'

export { PageErrorBoundary as ErrorBoundary } from '#src/ui/page/page-errors.tsx'

const pathOf = (id: number) => `/team/employe/${id}`

export async function loader({ params, context }: Route.LoaderArgs) {
  return { employee: await orNotFound(context.get(pageContext).services.employees.find(readId(params.id_employe))) }
}

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  return { employee: await orNotFound(findPublished(readId(params.id_employe))) }
}

/** Staff get drafts too, which no public page shows. */
async function findPublished(id: number) {
  const employee = await getJson<Employee>(`/api/employees/employes/${id}`)
  return employee.publie ? employee : Promise.reject({ status: 404 })
}

export const shouldRevalidate = revalidateOn('employees')

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return missingPageTags(matches)
  const { nom, titre, titre_en, description, description_en, id_employe } = loaderData.employee
  const language = languageOf(matches)
  const title = `${nom}, ${pickText(language, titre, titre_en)}`
  const picture = { path: `/partage/person/${id_employe}.${language}.png`, alt: title }
  return pageTags(matches, title, summarize(pickText(language, description, description_en)), pathOf(id_employe), picture)
}

export default function EmployeePage({ loaderData }: Route.ComponentProps) {
  const { employee } = loaderData
  return (
    <div className="wrap">
      <EmployeeProfile employee={employee} path={pathOf(employee.id_employe)} />
    </div>
  )
}
