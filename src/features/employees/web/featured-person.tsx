import { pickVariant } from '#src/lib/language/language.ts'
import { ArrowIcon } from '#src/ui/components/icons.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { Photo } from '#src/ui/components/photo.tsx'
import type { Employee } from '../contract.ts'
import { texts } from '../texts.ts'

/** Somebody the team wants to thank, apart from the list. */
export function FeaturedPerson({ employee }: { employee: Employee }) {
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
