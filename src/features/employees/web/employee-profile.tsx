import type { ReactNode } from 'react'
import { Breadcrumbs } from '#src/ui/page/page-head.tsx'
import { pickVariant } from '#src/lib/language/language.ts'
import { ButtonAnchor, ButtonLink } from '#src/ui/components/button.tsx'
import { MailIcon } from '#src/ui/components/icons.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Photo } from '#src/ui/components/photo.tsx'
import type { Employee } from '../contract.ts'
import { departmentTexts, texts } from '../texts.ts'
import './employees.css'

type Shown = Omit<Employee, 'id_employe' | 'version' | 'english_older'>

type EmployeeProfileProps = {
  employee: Shown
  /** Address of the page; undefined in a preview. */
  path?: string
  /** Replaces the stored photo in a preview. */
  picture?: ReactNode
}

/** One employee: photo, name, title and description in the language of the page, and email. */
export function EmployeeProfile({ employee, path, picture }: EmployeeProfileProps) {
  const t = useTexts(texts)
  const d = useTexts(departmentTexts)
  const language = useLanguage()
  const { nom: name, email } = employee
  const title = pickVariant(language, employee.titre, employee.titre_en)
  const description = pickVariant(language, employee.description, employee.description_en)
  const departments = [...new Set([employee.departement, employee.sousdepartement])]
  const Name = path ? 'h1' : 'h2'
  return (
    <>
      {path && (
        <div className="pt-8 pb-8 md:pt-10">
          <Breadcrumbs
            trail={[
              { name: t('title'), path: '/team' },
              { name, path },
            ]}
          />
        </div>
      )}
      <div className="profile">
        {picture || (
          <Photo
            photo={employee.photo}
            name={name}
            alt={t('photoOf', { name })}
            sizes="(width < 48rem) 80vw, 400px"
            eager
            className="photo-window"
          />
        )}
        <div className="grid justify-items-start gap-4">
          <Name>{name}</Name>
          <p className="text-xl font-bold text-brand" lang={title.lang}>
            {title.text}
          </p>
          <p className="text-sm text-ink-2">{t('departments', { names: departments.map((one) => d(one)).join(', ') })}</p>
          <p className="max-w-prose text-lg whitespace-pre-line" lang={description.lang}>
            {description.text}
          </p>
          <div className="mt-2 flex flex-wrap gap-3">
            <ButtonAnchor href={`mailto:${email}`} className="wrap-anywhere" aria-label={t('write', { email })}>
              <MailIcon className="flex-none" />
              <span>{email}</span>
            </ButtonAnchor>
            {path && (
              <ButtonLink to="/team" variant="secondary">
                {t('backToTeam')}
              </ButtonLink>
            )}
          </div>
        </div>
      </div>
    </>
  )
}
