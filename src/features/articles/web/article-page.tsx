import type { FormEvent } from 'react'
import { useEffect, useState } from 'react'
import { redirect } from 'react-router'
import { company } from '#company/company.ts'
import type { Language } from '#src/lib/language/language.ts'
import { addressInLanguage, pickText, requestedLanguage } from '#src/lib/language/language.ts'
import { textOfHtml } from '#src/lib/text/html-text.ts'
import { summarize } from '#src/lib/text/summary.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { Button, ButtonAnchor, ButtonLink } from '#src/ui/components/button.tsx'
import { PhoneIcon } from '#src/ui/components/icons.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { JsonLd } from '#src/ui/page/json-ld.tsx'
import { pageContext } from '#src/ui/page/page-context.ts'
import { orNotFound } from '#src/ui/page/page-errors.tsx'
import { inOwnLanguages } from '#src/ui/page/own-languages.ts'
import { languageOf, missingPageTags, pageTags } from '#src/ui/page/page-meta.ts'
import { readPreferences, readStoredPreferences } from '#src/ui/page/preferences.ts'
import { openChatEvent, useOrigin } from '#src/ui/page/public-context.ts'
import { chatDraftKey, noteRead, tabStorage } from '#src/ui/storage.ts'
import type { Article, ArticleTitle } from '../contract.ts'
import { texts } from '../texts.ts'
import { pathOfArticle } from '../values.ts'
import type { Route } from './+types/article-page.ts'
import { ArticleText } from './article-text.tsx'
import { ArticleLink, articleFeedTag, titleOf } from './subjects.tsx'

/** Titles on the same subject at the end. */
const relatedShown = 5

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { articles } = context.get(pageContext).services
  const article = await orNotFound(articles.find(params.slug))
  leaveFormerAddress(article, params.slug, readPreferences(request).language, request.url, 301)
  return { article: publicPart(article), related: relatedTo(article, await articles.findTitles()) }
}

export async function clientLoader({ params, request }: Route.ClientLoaderArgs) {
  const [article, titles] = await Promise.all([
    orNotFound(getJson<Article>(`/api/articles/articles/at/${encodeURIComponent(params.slug)}`)),
    getJson<ArticleTitle[]>('/api/articles/articles/titles'),
  ])
  leaveFormerAddress(article, params.slug, readStoredPreferences(request).language, request.url, 302)
  return {
    article: publicPart(article),
    related: relatedTo(
      article,
      titles.filter((one) => one.publie && one.public),
    ),
  }
}

/** The answer to "Did this help you?" where no script runs. */
export async function action({ params, request, context }: Route.ActionArgs) {
  const { services, address } = context.get(pageContext)
  const form = await request.formData().catch(() => null)
  const isHelpful = form?.get('helpful') === 'true'
  await orNotFound(services.articles.vote(params.slug, isHelpful, { headers: request.headers, address }))
  return { isHelpful }
}

export const shouldRevalidate = revalidateOn('articles')

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return missingPageTags(matches)
  const { article } = loaderData
  const language = languageOf(matches)
  const title = pickText(language, article.titre, article.titre_en)
  const french = pathOfArticle('fr', article)
  const picture = { path: `/partage/article/${article.id_article}.${language}.png`, alt: title }
  const tags = pageTags(matches, title, summaryOf(article, language), french, picture)
  return [...inOwnLanguages(tags, french, article.titre_en ? pathOfArticle('en', article) : null), articleFeedTag(language)]
}

export default function ArticlePage({ loaderData, actionData }: Route.ComponentProps) {
  const { article, related } = loaderData
  const t = useTexts(texts)
  const language = useLanguage()
  const path = pathOfArticle(language, article)
  const { id_article: id } = article
  useEffect(() => {
    if (noteRead(path)) callApi('POST', `/public_api/articles/${id}/read`).catch(console.warn)
  }, [path, id])
  return (
    <div className="wrap">
      <ArticleText article={article} path={path} />
      <Helpful key={article.id_article} article={article} answer={actionData?.isHelpful ?? null} />
      {related.length > 0 && (
        <nav aria-labelledby="related" className="mt-12 max-w-prose print:hidden">
          <h2 id="related" className="mb-3 text-xl">
            {t('related')}
          </h2>
          <ul className="grid gap-1">
            {related.map((one) => (
              <li key={one.id_article}>
                <ArticleLink article={one} />
              </li>
            ))}
          </ul>
        </nav>
      )}
      <p className="mt-10 print:hidden">
        <ButtonLink to="/aide" variant="secondary">
          {t('allHelp')}
        </ButtonLink>
      </p>
      <ArticleJsonLd article={article} path={path} />
    </div>
  )
}

type HelpfulProps = { article: Pick<Article, 'id_article' | 'titre' | 'titre_en'>; answer: boolean | null }

function Helpful({ article, answer }: HelpfulProps) {
  const t = useTexts(texts)
  const language = useLanguage()
  const [given, setGiven] = useState(answer)
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')
  const handleSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    const helpful = (submitter as HTMLButtonElement | null)?.value === 'true'
    setState('busy')
    try {
      await callApi('POST', `/public_api/articles/${article.id_article}/helpful`, { helpful })
      setGiven(helpful)
      setState('idle')
      if (!helpful) openChatAbout(t('askAbout', { title: pickText(language, article.titre, article.titre_en) }))
    } catch (error) {
      console.error(error)
      setState('failed')
    }
  }
  const { tollFree } = company.phones
  return (
    <section aria-labelledby="helpful" className="card mt-12 grid max-w-prose justify-items-start gap-3 px-6 py-5 print:hidden">
      <h2 id="helpful" className="text-lg">
        {t('helpful')}
      </h2>
      {given === null && (
        <form method="post" className="flex flex-wrap gap-3" onSubmit={(event) => void handleSubmit(event)}>
          <Button type="submit" name="helpful" value="true" variant="secondary" busy={state === 'busy'}>
            {t('yes')}
          </Button>
          <Button type="submit" name="helpful" value="false" variant="secondary" busy={state === 'busy'}>
            {t('notYet')}
          </Button>
        </form>
      )}
      <p role="status" className="empty:hidden">
        {state === 'failed' ? t('voteFailed') : given === null ? '' : t(given ? 'thanks' : 'sorry')}
      </p>
      {given === false && (
        <div className="flex flex-wrap gap-3">
          <ButtonLink to="/appel-de-service">{t('serviceCall')}</ButtonLink>
          <ButtonAnchor href={`tel:${tollFree.e164}`} variant="secondary">
            <PhoneIcon />
            <span>{t('callUs', { phone: tollFree.display })}</span>
          </ButtonAnchor>
        </div>
      )}
    </section>
  )
}

/** Technicians see which articles were read; the visitor's own text, where they have written none, names this one. */
function openChatAbout(text: string) {
  try {
    const stored = JSON.parse(tabStorage.read(chatDraftKey) ?? '{}') as { draft?: string; asked?: string }
    // The sentence about an article before gives way to this one.
    if (!stored.draft || stored.draft === stored.asked)
      tabStorage.write(chatDraftKey, JSON.stringify({ ...stored, draft: text, asked: text }))
  } catch (error) {
    console.warn(error)
  }
  window.dispatchEvent(new CustomEvent(openChatEvent))
}

const onServer = import.meta.env.SSR ? await import('./article-structured-data.ts') : null

function ArticleJsonLd({ article, path }: { article: PublicArticle; path: string }) {
  const language = useLanguage()
  const origin = useOrigin()
  const description = summaryOf(article, language)
  return (
    <JsonLd
      key={`${path} ${article.version}`}
      data={onServer?.describeArticle(article, { origin, path, language, description }) ?? null}
      load={async () =>
        (await import('./article-structured-data.ts')).describeArticle(article, { origin, path, language, description })
      }
    />
  )
}

/** Throws the redirection to the current address of the article where this one was changed. */
function leaveFormerAddress(article: Article, slug: string, language: Language, url: string, status: 301 | 302) {
  if (slug === article.slug || slug === article.slug_en) return
  const target = pathOfArticle(language, article)
  throw redirect(requestedLanguage(new URL(url).search) ? addressInLanguage(target, language) : target, status)
}

function relatedTo(article: Article, titles: ArticleTitle[]) {
  return titles
    .filter((one) => one.categorie === article.categorie && one.id_article !== article.id_article)
    .slice(0, relatedShown)
    .map(titleOf)
}

export type PublicArticle = ReturnType<typeof publicPart>

function publicPart({ english_older: _older, a_revoir_le: _review, public: _public, publie: _published, ...rest }: Article) {
  return rest
}

/** For search engines. */
function summaryOf(article: Pick<Article, 'titre' | 'corps' | 'corps_en'>, language: Language) {
  return summarize(textOfHtml(pickText(language, article.corps, article.corps_en))) || article.titre
}
