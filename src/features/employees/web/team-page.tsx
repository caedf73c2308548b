import { useNavigation } from 'react-router'
import { company } from '#company/company.ts'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageContext } from '#src/ui/page/page-context.ts'
import { describePage } from '#src/ui/page/page-meta.ts'
import { PageHead } from '#src/ui/page/page-head.tsx'
import { getJson } from '#src/ui/api.ts'
import { ButtonLink } from '#src/ui/components/button.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { Employee, EmployeeFilter } from '../contract.ts'
import { texts } from '../texts.ts'
import type { TeamTile } from '../values.ts'
import { readTile } from '../values.ts'
import type { Route } from './+types/team-page.ts'
import { EmployeeCard, EmployeeSkeletons } from './employee-card.tsx'
import { FeaturedPerson } from './featured-person.tsx'
import { TeamTiles } from './team-tiles.tsx'
import './employees.css'

const path = '/team'
const email = company.people.featuredEmployeeEmail

export async function loader({ request, context }: Route.LoaderArgs) {
  const { employees } = context.get(pageContext).services
  const tile = tileOf(new URL(request.url).search)
  const [team, [featured]] = await Promise.all([employees.findBy(teamFilter(tile)), employees.findBy({ email })])
  return { tile, team: team.map(cardOf), featured: featured ?? null }
}

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const tile = tileOf(new URL(request.url).search)
  const [team, [featured]] = await Promise.all([findBy(teamFilter(tile)), findBy({ email })])
  return { tile, team: team.map(cardOf), featured: featured ?? null }
}

export const shouldRevalidate = revalidateOn('employees')

export function meta({ matches }: Route.MetaArgs) {
  return describePage(matches, texts, 'title', 'metaDescription', path)
}

export default function TeamPage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(texts)
  const { location } = useNavigation()
  const isReloading = location?.pathname === path
  const tile = isReloading ? tileOf(location.search) : loaderData.tile
  const { team, featured } = loaderData
  return (
    <div className="wrap">
      <PageHead title={t('title')} lead={t('lead')} trail={[{ name: t('title'), path }]} />
      <TeamTiles current={tile} />
      <p role="status" className="sr-only">
        {!isReloading && t('count', { count: team.length })}
      </p>
      {isReloading ? (
        <EmployeeSkeletons count={Math.max(team.length, 4)} />
      ) : team.length === 0 ? (
        <EmptyState
          title={t('empty')}
          action={
            <ButtonLink to={path} preventScrollReset>
              {t('emptyAction')}
            </ButtonLink>
          }
        >
          {t('emptyHint')}
        </EmptyState>
      ) : (
        <ul className="team-grid">
          {team.map((employee, index) => (
            <li key={employee.id_employe}>
              <EmployeeCard employee={employee} eager={index < 2} />
            </li>
          ))}
        </ul>
      )}
      {featured && <FeaturedPerson employee={featured} />}
    </div>
  )
}

function tileOf(search: string) {
  return readTile(new URLSearchParams(search).get('departement'))
}

/** Everybody but the person who is shown apart. */
function teamFilter(tile: TeamTile | null): EmployeeFilter {
  return { email: { neq: email }, ...(tile && { departement: tile }) }
}

function findBy(filter: EmployeeFilter) {
  return getJson<Employee[]>(`/api/employees/employes?where=${encodeURIComponent(JSON.stringify(filter))}`)
}

/** Descriptions stay behind: the cards do not show them. */
function cardOf({ id_employe, nom, photo, titre, titre_en }: Employee) {
  return { id_employe, nom, photo, titre, titre_en }
}
