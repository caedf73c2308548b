import { pickVariant } from '#src/lib/language/language.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { Photo } from '#src/ui/components/photo.tsx'
import { Skeleton } from '#src/ui/components/skeleton.tsx'
import { Spinner } from '#src/ui/components/spinner.tsx'
import { texts as uiTexts } from '#src/ui/texts.ts'
import type { Employee } from '../contract.ts'

type Shown = Pick<Employee, 'id_employe' | 'nom' | 'photo' | 'titre' | 'titre_en'>

/** Photo and name, the way to the profile; the first of a list are in sight at once. */
export function EmployeeCard({ employee, eager }: { employee: Shown; eager: boolean }) {
  const title = pickVariant(useLanguage(), employee.titre, employee.titre_en)
  return (
    <Link to={`/team/employe/${employee.id_employe}`} className="card employee-card">
      <Photo photo={employee.photo} name={employee.nom} sizes="(width < 40rem) 46vw, 280px" eager={eager} />
      <span className="employee-name">{employee.nom}</span>
      <span className="employee-title" lang={title.lang}>
        {title.text}
      </span>
    </Link>
  )
}

/** The spinner, over cards as large as those to come: nothing moves when they arrive. */
export function EmployeeSkeletons({ count }: { count: number }) {
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
            <Skeleton className="mx-4 mt-2 mb-4 h-4 w-1/2" />
          </div>
        ))}
      </div>
    </div>
  )
}
