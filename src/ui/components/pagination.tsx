import { ArrowIcon, BackIcon } from './icons.tsx'
import { useTexts } from '../language.tsx'
import { Link } from './link.tsx'
import { defineTexts } from '#src/lib/language/texts.ts'

const texts = defineTexts({
  fr: {
    pages: 'Pages',
    previousPage: 'Page précédente',
    nextPage: 'Page suivante',
    page: 'Page {page} de {count}',
  },
  en: {
    pages: 'Pages',
    previousPage: 'Previous page',
    nextPage: 'Next page',
    page: 'Page {page} of {count}',
  },
})

type PaginationProps = {
  page: number
  count: number
  /** The address of a page of the list. */
  to: (page: number) => string
}

export function Pagination({ page, count, to }: PaginationProps) {
  const t = useTexts(texts)
  if (count < 2) return null
  return (
    <nav aria-label={t('pages')} className="flex items-center justify-center gap-4">
      {page > 1 && (
        <Link to={to(page - 1)} rel="prev" className="button button-quiet button-icon" aria-label={t('previousPage')}>
          <BackIcon />
        </Link>
      )}
      <span className="tabular" aria-current="page">
        {t('page', { page, count })}
      </span>
      {page < count && (
        <Link to={to(page + 1)} rel="next" className="button button-quiet button-icon" aria-label={t('nextPage')}>
          <ArrowIcon />
        </Link>
      )}
    </nav>
  )
}
