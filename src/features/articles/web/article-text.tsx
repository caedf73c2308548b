import { company } from '#company/company.ts'
import { locales, pickVariant } from '#src/lib/language/language.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Breadcrumbs } from '#src/ui/page/page-head.tsx'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import type { Article } from '../contract.ts'
import { texts } from '../texts.ts'
import { raiseHeadings } from '../values.ts'
import { subjectOf } from './subjects.tsx'

type Shown = Pick<Article, 'titre' | 'titre_en' | 'corps' | 'corps_en' | 'categorie'> & { updated_at?: string }

/** Title and text in the language of the page; `path` is undefined in a preview. */
export function ArticleText({ article, path }: { article: Shown; path?: string }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const title = pickVariant(language, article.titre, article.titre_en)
  const text = pickVariant(language, article.corps, article.corps_en)
  const Title = path ? 'h1' : 'h2'
  return (
    <article>
      <div className="grid gap-4 pt-8 pb-8 md:pt-10">
        {path && (
          <Breadcrumbs
            trail={[
              { name: t('title'), path: '/aide' },
              { name: title.text, path },
            ]}
          />
        )}
        <Title className="max-w-4xl text-3xl" lang={title.lang}>
          {title.text}
        </Title>
        <p className="flex flex-wrap gap-x-5 text-sm text-ink-2">
          <span>{subjectOf(article.categorie, language)}</span>
          {article.updated_at && (
            <span>
              {t('updated', {
                date: new Date(article.updated_at).toLocaleDateString(locales[language], {
                  dateStyle: 'long',
                  timeZone: company.hours.timeZone,
                }),
              })}
            </span>
          )}
        </p>
      </div>
      <RichText html={raiseHeadings(text.text)} lang={text.lang} className="prose max-w-prose text-lg" />
    </article>
  )
}
