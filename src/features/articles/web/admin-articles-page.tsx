import { useEffect, useState } from 'react'
import { company } from '#company/company.ts'
import { EntryList } from '#src/features/content/web/entry-list.tsx'
import { pickText } from '#src/lib/language/language.ts'
import { dayIn } from '#src/lib/time/dates.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Moment } from '#src/ui/components/moment.tsx'
import { ButtonLink } from '#src/ui/components/button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { adminArticleTexts } from '../admin-texts.ts'
import type { ArticleTitle } from '../contract.ts'
import type { Route } from './+types/admin-articles-page.ts'
import { subjectOf } from './subjects.tsx'

export { cacheRows as shouldRevalidate } from '#src/features/content/web/entry-list.tsx'

export async function clientLoader() {
  return { articles: await getJson<ArticleTitle[]>('/api/articles/articles/titles') }
}

const tones = { draft: 'neutral', published: 'ok', staffOnly: 'brand' } as const

/** `/admin/articles`: titles, subject, who sees them, and what is to be reviewed. */
export default function AdminArticlesPage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(adminArticleTexts)
  const language = useLanguage()
  const today = dayIn(company.hours.timeZone, new Date())
  const titleOf = ({ titre, titre_en }: ArticleTitle) => pickText(language, titre || titre_en, titre_en) || t('untitled')
  const stateOf = (one: ArticleTitle) => (!one.publie ? 'draft' : one.public ? 'published' : 'staffOnly')
  const isLate = ({ a_revoir_le: day }: ArticleTitle) => day !== null && day <= today
  const subject = ({ categorie }: ArticleTitle) => subjectOf(categorie, language)
  return (
    <EntryList
      area="articles"
      title={t('title')}
      createPath="/admin/articles/new"
      editPath={(one) => `/admin/articles/${one.id_article}`}
      rows={loaderData.articles}
      rowKey={(one) => one.id_article}
      rowName={titleOf}
      remove={(one) => callApi('DELETE', `/api/articles/articles/${one.id_article}`)}
      undo={(one) => callApi('POST', `/api/articles/articles/${one.id_article}/undo`)}
      exported={[
        { header: t('articleTitle'), value: (one) => one.titre },
        { header: t('articleTitleEn'), value: (one) => one.titre_en },
        { header: t('subject'), value: subject },
        { header: t('state'), value: (one) => t(stateOf(one)) },
        { header: t('review'), value: (one) => one.a_revoir_le },
        { header: t('helpful'), value: (one) => one.helpful },
        { header: t('notHelpful'), value: (one) => one.not_helpful },
      ]}
      columns={[
        { header: t('articleTitle'), cell: titleOf, text: titleOf, sortKey: 'titre', isRowHeader: true },
        { header: t('subject'), cell: subject, text: subject, sortKey: 'sujet' },
        {
          header: t('state'),
          cell: (one) => <Badge tone={tones[stateOf(one)]}>{t(stateOf(one))}</Badge>,
          text: (one) => t(stateOf(one)),
          sortKey: 'statut',
        },
        {
          header: t('review'),
          cell: (one) =>
            isLate(one) ? (
              <Badge tone="warn">
                <span>{`${t('toReview')} · `}</span>
                <Moment at={one.a_revoir_le ?? ''} />
              </Badge>
            ) : (
              one.a_revoir_le && <Moment at={one.a_revoir_le} />
            ),
          text: (one) => (isLate(one) ? t('toReview') : ''),
          sortBy: (one) => one.a_revoir_le ?? '9999',
          sortKey: 'revision',
        },
        {
          header: t('votes'),
          cell: ({ helpful, not_helpful }) => helpful + not_helpful > 0 && t('votesShown', { yes: helpful, no: not_helpful }),
        },
      ]}
      emptyTitle={t('empty')}
      emptyHint={t('emptyHint')}
    />
  )
}

/** On the landing screen: articles whose day of review has come. Nothing where there are none. */
export function ReviewNotice() {
  const t = useTexts(adminArticleTexts)
  const [count, setCount] = useState(0)
  useEffect(() => {
    const left = new AbortController()
    getJson<{ count: number }>('/api/articles/articles/to_review', left.signal)
      .then((found) => setCount(found.count))
      .catch((error: unknown) => {
        // The list of articles shows it too.
        if (!left.signal.aborted) console.warn(error)
      })
    return () => left.abort()
  }, [])
  if (count === 0) return null
  return (
    <section
      aria-label={t('title')}
      className="flex flex-wrap items-center gap-4 rounded-card border border-dashed border-edge px-5 py-4"
    >
      <div className="grow">
        <p className="font-bold">{t('reviewCount', { count })}</p>
        <p className="text-sm text-ink-2">{t('reviewLead')}</p>
      </div>
      <ButtonLink to="/admin/articles?sort=revision" variant="secondary" size="small">
        {t('reviewOpen')}
      </ButtonLink>
    </section>
  )
}
