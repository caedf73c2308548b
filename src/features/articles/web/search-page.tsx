import { data } from 'react-router'
import type { Language } from '#src/lib/language/language.ts'
import { locales } from '#src/lib/language/language.ts'
import type { SearchResult } from '#src/lib/schemas.ts'
import { translator } from '#src/lib/language/texts.ts'
import { ApiError, getJson } from '#src/ui/api.ts'
import { Button, ButtonLink } from '#src/ui/components/button.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { AlertIcon } from '#src/ui/components/icons.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { useHydrated } from '#src/ui/first-load.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { openChatEvent } from '#src/ui/page/public-context.ts'
import { pageContext } from '#src/ui/page/page-context.ts'
import { PageHead } from '#src/ui/page/page-head.tsx'
import { languageOf, pageTags } from '#src/ui/page/page-meta.ts'
import { readPreferences, readStoredPreferences } from '#src/ui/page/preferences.ts'
import { MarkedTitle, marksClass, unshownWords } from '#src/ui/search/marked.tsx'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import { texts } from '../texts.ts'
import type { Route } from './+types/search-page.ts'
import { SearchForm } from './search-form.tsx'

const shortest = 2
const tooMany = 429

type Answer = { words: string; results: SearchResult[]; isLimited: boolean }
type Find = (words: string, language: Language) => Promise<SearchResult[]>

export async function loader({ request, context }: Route.LoaderArgs) {
  const { services, address } = context.get(pageContext)
  const answer = await answerTo(request.url, readPreferences(request).language, (words, language) =>
    services.articles.search(words, language, address),
  )
  return data(answer, { status: answer.isLimited ? tooMany : 200 })
}

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return answerTo(request.url, readStoredPreferences(request).language, (q, language) =>
    getJson(`/public_api/search?${String(new URLSearchParams({ q, language, limit: '20' }))}`),
  )
}

async function answerTo(url: string, language: Language, find: Find): Promise<Answer> {
  const words = (new URL(url).searchParams.get('q') ?? '').trim().slice(0, 200)
  try {
    return { words, results: words.length < shortest ? [] : await find(words, language), isLimited: false }
  } catch (error) {
    const status = error instanceof ApiError ? error.status : (error as { status?: number }).status
    if (status !== tooMany) throw error
    return { words, results: [], isLimited: true }
  }
}

export function meta({ matches }: Route.MetaArgs) {
  const t = translator(texts, languageOf(matches))
  return [...pageTags(matches, t('searchTitle'), t('searchDescription'), '/recherche'), { name: 'robots', content: 'noindex' }]
}

export default function SearchPage({ loaderData: { words, results, isLimited } }: Route.ComponentProps) {
  const t = useTexts(texts)
  return (
    <div className="wrap">
      <PageHead title={t('searchTitle')} trail={[{ name: t('searchTitle'), path: '/recherche' }]} />
      <SearchForm words={words} />
      <div className="mt-10 max-w-3xl">
        {isLimited ? (
          <p role="alert">{t('tooMany')}</p>
        ) : words.length < shortest ? (
          words !== '' && <p>{t('tooShort')}</p>
        ) : results.length === 0 ? (
          <EmptyState title={t('noResult', { words })} action={<Person />}>
            {t('noResultHint')}
          </EmptyState>
        ) : (
          <Results words={words} results={results} />
        )}
      </div>
    </div>
  )
}

function Results({ words, results }: { words: string; results: SearchResult[] }) {
  const t = useTexts(texts)
  const language = useLanguage()
  return (
    <>
      <h2 className="mb-1 text-xl wrap-anywhere">{t('searchFor', { words })}</h2>
      <p className="mb-5 text-ink-2">{t('resultCount', { count: results.length })}</p>
      <ol className="grid gap-4">
        {results.map((one) => {
          const lang = one.language === language ? undefined : locales[one.language]
          return (
            <li key={`${one.kind} ${one.url} ${one.title}`} className="card grid gap-1 px-5 py-4">
              <p className="flex items-center gap-2 text-sm font-bold text-ink-2">
                {one.kind === 'incident' && <AlertIcon size={18} className="text-warn" />}
                <span>{t(one.kind)}</span>
              </p>
              <h3 className="text-lg">
                <Link to={one.url} lang={lang} className="text-brand wrap-anywhere underline-offset-4 hover:underline">
                  <MarkedTitle result={one} />
                </Link>
              </h3>
              <RichText html={one.excerpt} lang={lang} className={`text-ink-2 ${marksClass}`} />
              {unshownWords(one) && <p className="text-sm text-ink-2">{t('foundBy', { words: unshownWords(one) })}</p>}
            </li>
          )
        })}
      </ol>
      <div className="mt-8 flex flex-wrap items-center justify-between gap-4 border-t-2 border-dashed border-line pt-5">
        <p className="font-bold">{t('person')}</p>
        <Person />
      </div>
    </>
  )
}

function Person() {
  const t = useTexts(texts)
  const isReady = useHydrated()
  return (
    <div className="flex flex-wrap gap-3">
      {isReady && <Button onClick={() => window.dispatchEvent(new CustomEvent(openChatEvent))}>{t('chat')}</Button>}
      <ButtonLink to="/appel-de-service" variant={isReady ? 'secondary' : 'primary'}>
        {t('serviceCall')}
      </ButtonLink>
    </div>
  )
}
