import { useLocation } from 'react-router'
import { hasRight } from '#src/lib/rights.ts'
import { Link } from '#src/ui/components/link.tsx'
import { useLanguage } from '#src/ui/language.tsx'
import { useFeatures, useRights } from './admin-context.ts'

/** The pages that stand under one menu entry: one subject on several pages. `entry` is the path of the first. */
export function EntryTabs({ entry }: { entry: string }) {
  const language = useLanguage()
  const rights = useRights()
  const { pathname } = useLocation()
  const pages = useFeatures().flatMap(({ admin = [] }) => admin)
  const first = pages.find(({ path }) => path === entry)
  const tabs = [...(first ? [first] : []), ...pages.filter(({ under }) => under === entry)].filter(({ area, level }) =>
    hasRight(rights, area, level ?? 'read_only'),
  )
  if (tabs.length < 2) return null
  return (
    <nav aria-label={first?.menuLabel?.[language]} className="mb-6">
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
