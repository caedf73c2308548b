import './employees.css'
import { useNavigation } from 'react-router'
import { company } from '#company/company.ts'
import { pickVariant } from '#src/lib/language/language.ts'
import { getJson } from '#src/ui/api.ts'
import { ButtonLink } from '#src/ui/components/button.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { ArrowIcon } from '#src/ui/components/icons.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { Photo } from '#src/ui/components/photo.tsx'
import { Skeleton } from '#src/ui/components/loading.tsx'
import { Spinner } from '#src/ui/components/spinner.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageContext } from '#src/ui/page/page-context.ts'
import { PageHead } from '#src/ui/page/page-head.tsx'
import { describePage } from '#src/ui/page/page-meta.ts'
import { texts as uiTexts } from '#src/ui/texts.ts'
import type { Employee, EmployeeFilter } from '../contract.ts'
import { departmentTexts, texts } from '../texts.ts'
import type { TeamTile } from '../values.ts'
import { readTile, teamTiles } from '../values.ts'
import type { Route } from './+types/team-page.ts'

const path = '/team'
const email = company.people.featuredEmployeeEmail

export async function loader({ request, context }: Route.LoaderArgs) {
  return loadTeam(request, context.get(pageContext).services.employees.findBy)
}

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return loadTeam(request, findBy)
}

async function loadTeam({ url }: Request, find: (filter: EmployeeFilter) => Promise<readonly Employee[]>) {
  const tile = tileOf(new URL(url).search)
  const [team, [featured], everyone] = await Promise.all([
    find(teamFilter(tile)),
    find({ email }),
    tile ? find(teamFilter(null)) : null,
  ])
  return { tile, team: team.map(cardOf), counts: countTiles(everyone ?? team), featured: featured ?? null }
}

/** How many people each tile shows; those of all come first. */
function countTiles(team: readonly Employee[]) {
  const of = (tile: TeamTile) => team.filter((one) => one.departement === tile || one.sousdepartement === tile).length
  return [team.length, ...teamTiles.map(of)]
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
  const { team, counts, featured } = loaderData
  return (
    <div className="wrap">
      <PageHead title={t('title')} lead={t('lead')} trail={[{ name: t('title'), path }]} />
      <TeamTiles current={tile} counts={counts} />
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
      {featured && <FeaturedEmployee employee={featured} />}
    </div>
  )
}

function tileOf(search: string) {
  return readTile(new URLSearchParams(search).get('departement'))
}

/** Everyone except the featured employee. */
function teamFilter(tile: TeamTile | null): EmployeeFilter {
  return { email: { neq: email }, ...(tile && { departement: tile }) }
}

async function findBy(filter: EmployeeFilter) {
  const found = await getJson<Employee[]>(`/api/employees/employes?where=${encodeURIComponent(JSON.stringify(filter))}`)
  // Staff get drafts too, which no public page shows.
  return found.filter(({ publie }) => publie)
}

/** Omits descriptions, which the cards do not show. */
function cardOf({ id_employe, nom, photo, departement, titre, titre_en }: Employee) {
  return { id_employe, nom, photo, departement, titre, titre_en }
}

type Shown = ReturnType<typeof cardOf>

/** Photo and name, linked to the profile; the first ones of a list load eagerly. */
export function EmployeeCard({ employee, eager }: { employee: Shown; eager: boolean }) {
  const d = useTexts(departmentTexts)
  const title = pickVariant(useLanguage(), employee.titre, employee.titre_en)
  return (
    <Link to={`/team/employe/${employee.id_employe}`} className="card employee-card">
      <Photo photo={employee.photo} name={employee.nom} sizes="(width < 40rem) 46vw, 280px" eager={eager} />
      <span className="employee-name">{employee.nom}</span>
      <span className="employee-title" lang={title.lang}>
        {title.text}
      </span>
      <span className="employee-title font-bold">{d(employee.departement)}</span>
    </Link>
  )
}

/** The spinner, over placeholders of the final size so that nothing moves. */
function EmployeeSkeletons({ count }: { count: number }) {
  const t = useTexts(uiTexts)
  return (
    <div role="status" className="relative">
      <p className="absolute inset-x-0 top-6 mx-auto flex w-max items-center gap-3 rounded-card bg-surface px-5 py-3 shadow-float">
        <Spinner className="text-brand" />
        <span>{t('loading')}</span>
      </p>
      <div className="team-grid" aria-hidden="true">
        {Array.from({ length: count }, (_, index) => (
          <div key={index} className="card employee-card">
            <Skeleton className="aspect-square w-full rounded-none" />
            <Skeleton className="mx-4 mt-4 h-5 w-2/3" />
            <Skeleton className="mx-4 mt-2 h-4 w-1/2" />
          </div>
        ))}
      </div>
    </div>
  )
}

/** The featured employee, shown below the list. */
export function FeaturedEmployee({ employee }: { employee: Employee }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const title = pickVariant(language, employee.titre, employee.titre_en)
  const description = pickVariant(language, employee.description, employee.description_en)
  const name = employee.nom
  return (
    <section aria-labelledby="featured" className="night featured">
      <Photo
        photo={employee.photo}
        name={name}
        alt={t('photoOf', { name })}
        sizes="(width < 48rem) 70vw, 320px"
        className="photo-window"
      />
      <div className="grid justify-items-start gap-4">
        <h2 id="featured">{t('thanksTitle', { name })}</h2>
        <p className="font-bold text-lamp" lang={title.lang}>
          {title.text}
        </p>
        <p className="max-w-prose text-lg">{t('thanksText')}</p>
        <p className="max-w-prose whitespace-pre-line text-ink-2" lang={description.lang}>
          {description.text}
        </p>
        <Link
          to={`/team/employe/${employee.id_employe}`}
          className="inline-flex items-center gap-2 font-bold underline underline-offset-4"
        >
          <span>{t('seeProfile', { name })}</span>
          <ArrowIcon />
        </Link>
      </div>
    </section>
  )
}

/** "All" and the seven departments, as links, so that they work without JavaScript and can be shared. */
export function TeamTiles({ current, counts }: { current: TeamTile | null; counts: readonly number[] }) {
  const t = useTexts(texts)
  const d = useTexts(departmentTexts)
  const labelOf = (tile: TeamTile) => (tile === 'SERVICE À LA CLIENTÈLE' ? t('customerServiceTile') : d(tile))
  return (
    <nav aria-label={t('filter')} className="mb-10 print:hidden">
      <ul className="team-tiles">
        <Tile to="/team" isCurrent={current === null} label={t('all')} count={counts[0]} />
        {teamTiles.map((tile, index) => (
          <Tile
            key={tile}
            to={`/team?departement=${encodeURIComponent(tile)}`}
            isCurrent={current === tile}
            label={labelOf(tile)}
            count={counts[index + 1]}
          />
        ))}
      </ul>
    </nav>
  )
}

type TileProps = { to: string; isCurrent: boolean; label: string; count: number | undefined }

function Tile({ to, isCurrent, label, count }: TileProps) {
  return (
    <li>
      <Link to={to} preventScrollReset className="team-tile" aria-current={isCurrent ? 'true' : undefined}>
        <span>{`${label} `}</span>
        <span className="font-normal">{count}</span>
      </Link>
    </li>
  )
}
