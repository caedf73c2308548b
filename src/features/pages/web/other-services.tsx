import { ArrowIcon } from '#src/ui/components/icons.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { pageTexts } from '../page-texts.ts'
import { texts } from '#src/ui/page/site-texts.ts'
import { serviceLinks } from './menu-links.ts'

/** Links from one service page to the three others. */
export function OtherServices({ current }: { current: string }) {
  const t = useTexts(pageTexts)
  const names = useTexts(texts)
  return (
    <nav aria-label={t('otherServices')} className="text-sm">
      <p className="mb-1 font-bold">{t('otherServices')}</p>
      <ul>
        {serviceLinks
          .filter((link) => link.to !== current)
          .map((link) => (
            <li key={link.to}>
              <Link to={link.to} className="flex items-center gap-2 py-1.5 font-bold text-brand hover:underline">
                <span>{names(link.text)}</span>
                <ArrowIcon size={16} />
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  )
}
