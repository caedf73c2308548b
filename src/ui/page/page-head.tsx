import type { ReactNode } from 'react'
import { defineTexts } from '#src/lib/language/texts.ts'
import { useTexts } from '../language.tsx'
import { Link } from '../components/link.tsx'
import { JsonLd } from './json-ld.tsx'
import { useOrigin } from './public-context.ts'

type PageHeadProps = {
  title: ReactNode
  lead?: ReactNode
  trail: Crumb[]
  actions?: ReactNode
  scene?: { src: string; alt: string }
}

/** Head of a static page: breadcrumbs, title, lead, actions, and a picture on a wide screen. */
export function PageHead({ title, lead, trail, actions, scene }: PageHeadProps) {
  return (
    <div
      className={`grid items-center gap-x-16 gap-y-8 pt-8 pb-10 md:pt-10 md:pb-14 ${scene ? 'md:grid-cols-[1fr_20rem] lg:grid-cols-[1fr_28rem]' : ''}`}
    >
      <div className="grid gap-5">
        <Breadcrumbs trail={trail} />
        <h1>{typeof title === 'string' ? joinShortWords(title) : title}</h1>
        {lead && <p className="max-w-prose text-lg text-ink-2">{lead}</p>}
        {actions && <div className="mt-1 flex flex-wrap gap-3 print:hidden">{actions}</div>}
      </div>
      {scene && (
        <img
          src={scene.src}
          alt={scene.alt}
          width="640"
          height="480"
          className="scene hidden aspect-4/3 object-cover md:block print:hidden"
        />
      )}
    </div>
  )
}

/** Keeps a short hyphenated word, such as « Contactez-nous! », on one line. */
function joinShortWords(title: string) {
  const parts = title.split(/(\S+-\S+)/)
  if (parts.length === 1) return title
  return parts.map((part, index) => (
    <span key={part} className={index % 2 === 1 && part.length < 16 ? 'inline-block' : undefined}>
      {part}
    </span>
  ))
}

export const navigationTexts = defineTexts({
  fr: { youAreHere: 'Vous êtes ici', home: 'Accueil', onThisPage: 'Sur cette page' },
  en: { youAreHere: 'You are here', home: 'Home', onThisPage: 'On this page' },
})

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
