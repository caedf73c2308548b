import { ArrowIcon, BackIcon } from './icons.tsx'
import { useTexts } from '../language.tsx'
import { Link } from './link.tsx'
import { texts } from '../texts.ts'

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
