import type { Language } from '#src/lib/language/language.ts'
import { locales } from '#src/lib/language/language.ts'
import { getJson } from '#src/ui/api.ts'
import { ButtonLink } from '#src/ui/components/button.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import scene from '#src/ui/illustrations/night-desk.svg'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageContext } from '#src/ui/page/page-context.ts'
import { PageHead } from '#src/ui/page/page-head.tsx'
import { describePage, languageOf } from '#src/ui/page/page-meta.ts'
import type { ArticleTitle } from '../contract.ts'
import { texts } from '../texts.ts'
import type { Route } from './+types/help-page.ts'
import { SearchForm } from './search-form.tsx'
import type { Title } from './subjects.tsx'
import { ArticleLink, articleFeedTag, groupBySubject, iconOf, nameOf, subjectOf, titleOf } from './subjects.tsx'

const path = '/aide'
/** Titles on the card of a subject; the others are below. */
const titlesOnCard = 4

export async function loader({ context }: Route.LoaderArgs) {
  const { articles } = context.get(pageContext).services
  const [titles, mostRead] = await Promise.all([articles.findTitles(), articles.findMostRead()])
  return { titles: titles.map(titleOf), mostRead }
}

export async function clientLoader() {
  const [titles, mostRead] = await Promise.all([
    getJson<ArticleTitle[]>('/api/articles/articles/titles'),
    getJson<number[]>('/public_api/articles/most_read'),
  ])
  return { titles: titles.filter(isShown).map(titleOf), mostRead }
}

export const shouldRevalidate = revalidateOn('articles')

export function meta({ matches }: Route.MetaArgs) {
  return [...describePage(matches, texts, 'title', 'metaDescription', path), articleFeedTag(languageOf(matches))]
}

export default function HelpPage({ loaderData: { titles, mostRead } }: Route.ComponentProps) {
  const t = useTexts(texts)
  const language = useLanguage()
  const compare = new Intl.Collator(locales[language]).compare
  const sorted = titles.toSorted((one, other) => compare(nameOf(one, language).text, nameOf(other, language).text))
  const read = mostRead.flatMap((id) => titles.find((one) => one.id_article === id) ?? [])
  return (
    <div className="wrap">
      <PageHead
        title={t('heading')}
        lead={t('lead')}
        trail={[{ name: t('title'), path }]}
        scene={{ src: scene, alt: t('scene') }}
      />
      <div className="mb-12">
        <SearchForm />
      </div>
      {titles.length === 0 ? (
        <EmptyState title={t('empty')} action={<ButtonLink to="/appel-de-service">{t('serviceCall')}</ButtonLink>}>
          {t('emptyHint')}
        </EmptyState>
      ) : (
        <>
          <section aria-labelledby="by-subject">
            <h2 id="by-subject" className="mb-5 text-2xl">
              {t('bySubject')}
            </h2>
            <ul className="grid items-start gap-5 sm:grid-cols-2 lg:grid-cols-3">
              {groupBySubject(sorted).map(({ category, entries }) => (
                <li key={category}>
                  <Subject category={category} entries={entries} />
                </li>
              ))}
            </ul>
          </section>
          {read.length > 0 && (
            <section aria-labelledby="most-read" className="mt-14 max-w-3xl">
              <h2 id="most-read" className="mb-5 text-2xl">
                {t('mostRead')}
              </h2>
              <ol>
                {read.map((one, index) => (
                  <li key={one.id_article} className="flex items-center gap-4 border-b border-line py-2">
                    <span aria-hidden="true" className="badge tabular">
                      {index + 1}
                    </span>
                    <span className="min-w-0 grow wrap-anywhere">
                      <ArticleLink article={one} />
                    </span>
                    <span className="text-sm whitespace-nowrap text-ink-2">
                      {t('minutes', { count: minutesOf(one, language) })}
                    </span>
                  </li>
                ))}
              </ol>
            </section>
          )}
          <section aria-labelledby="all-articles" className="mt-14">
            <h2 id="all-articles" className="mb-5 text-2xl">
              {t('allArticles')}
            </h2>
            <ul className="gap-x-12 md:columns-2">
              {sorted.map((one) => (
                <li
                  key={one.id_article}
                  className="flex flex-wrap break-inside-avoid justify-between gap-x-4 border-b border-line py-2"
                >
                  <ArticleLink article={one} />
                  <span className="text-sm whitespace-nowrap text-ink-2">
                    {t('minutes', { count: minutesOf(one, language) })}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        </>
      )}
    </div>
  )
}

function Subject({ category, entries }: { category: string; entries: Title[] }) {
  const t = useTexts(texts)
  const language = useLanguage()
  return (
    <section className="card">
      <div className="ticket-stub flex items-center justify-between px-5 py-3 text-brand">
        <span>{iconOf(category)}</span>
        <span className="tabular font-bold text-ink-2">{entries.length}</span>
      </div>
      <div className="grid gap-2 px-5 pt-5 pb-4">
        <h3 className="text-lg">{subjectOf(category, language)}</h3>
        <ul className="grid gap-1 text-sm">
          {entries.slice(0, titlesOnCard).map((one) => (
            <li key={one.id_article}>
              <ArticleLink article={one} />
            </li>
          ))}
        </ul>
        {entries.length > titlesOnCard && (
          <details className="text-sm">
            <summary className="cursor-pointer py-1 font-bold">{t('others', { count: entries.length - titlesOnCard })}</summary>
            <ul className="mt-1 grid gap-1">
              {entries.slice(titlesOnCard).map((one) => (
                <li key={one.id_article}>
                  <ArticleLink article={one} />
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </section>
  )
}

const minutesOf = ({ minutes, minutes_en, titre_en }: Title, language: Language) =>
  language === 'en' && titre_en ? minutes_en : minutes

const isShown = ({ publie, public: isPublic }: ArticleTitle) => publie && isPublic
