import { useTexts } from '../language.tsx'
import { Link } from '../components/link.tsx'
import { navigationTexts } from './navigation-texts.ts'
import { JsonLd } from './json-ld.tsx'
import { useOrigin } from './use-origin.ts'

const onServer = import.meta.env.SSR ? await import('./describe-trail.ts') : null

export type Crumb = { name: string; path: string }

/** Path from the home page to this one, the last crumb; also as structured data. */
export function Breadcrumbs({ trail }: { trail: Crumb[] }) {
  const t = useTexts(navigationTexts)
  const origin = useOrigin()
  const crumbs = [{ name: t('home'), path: '/' }, ...trail]
  return (
    <nav aria-label={t('youAreHere')} className="text-sm text-ink-2 print:hidden">
      <ol className="flex flex-wrap gap-x-2">
        {crumbs.map((crumb, index) => (
          <li key={crumb.path} className="flex gap-x-2">
            {index === crumbs.length - 1 ? (
              <span aria-current="page" className="py-1">
                {crumb.name}
              </span>
            ) : (
              <>
                <Link to={crumb.path} className="inline-block py-1 underline underline-offset-4 hover:text-brand">
                  {crumb.name}
                </Link>
                <span aria-hidden="true" className="py-1">
                  /
                </span>
              </>
            )}
          </li>
        ))}
      </ol>
      <JsonLd
        key={crumbs.map(({ name, path }) => name + path).join(' ')}
        data={onServer?.describeTrail(origin, crumbs) ?? null}
        load={async () => (await import('./describe-trail.ts')).describeTrail(origin, crumbs)}
      />
    </nav>
  )
}
