import { useLocation } from 'react-router'
import { defineTexts } from '#src/lib/language/texts.ts'
import { hasRight } from '#src/lib/rights.ts'
import { Link } from '#src/ui/components/link.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { useFeatures, useRights } from './admin-context.ts'

const movingTexts = defineTexts({
  fr: { moving: 'Importer et exporter' },
  en: { moving: 'Import and export' },
})

const paths = ['/admin/importer', '/admin/exports', '/admin/redirects']

/** Moving in, moving out and the addresses of before: one subject on three pages. */
export function MovingTabs() {
  const t = useTexts(movingTexts)
  const language = useLanguage()
  const rights = useRights()
  const { pathname } = useLocation()
  const pages = useFeatures().flatMap(({ admin = [] }) => admin)
  const tabs = paths.flatMap((path) =>
    pages.filter((page) => page.path === path && hasRight(rights, page.area, page.level ?? 'read_only')),
  )
  if (tabs.length < 2) return null
  return (
    <nav aria-label={t('moving')} className="mb-6">
      <ul className="flex flex-wrap gap-2 max-sm:gap-1.5">
        {tabs.map(({ path, label }) => {
          const isCurrent = pathname === path
          return (
            <li key={path}>
              <Link
                to={path}
                aria-current={isCurrent ? 'page' : undefined}
                className={`inline-flex rounded-full border-2 px-4 py-1.5 font-bold max-sm:px-2 max-sm:text-sm ${isCurrent ? 'border-ink bg-ink text-paper' : 'border-edge'}`}
              >
                {label[language]}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
