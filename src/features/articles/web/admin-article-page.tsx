import { useRight } from '#src/features/content/web/admin-context.ts'
import type { Changed } from '#src/features/content/web/conflict-dialog.tsx'
import { EntryForm, LastChange, loadEntry } from '#src/features/content/web/entry-form.tsx'
import { useBilingual } from '#src/features/content/web/use-bilingual.tsx'
import { pickText } from '#src/lib/language/language.ts'
import { formatDay } from '#src/lib/time/dates.ts'
import { callApi } from '#src/ui/api.ts'
import { SelectField, TextArea, TextField } from '#src/ui/forms/field.tsx'
import { SwitchField } from '#src/ui/forms/switch-field.tsx'
import { useEntryForm, useFieldProps } from '#src/ui/forms/use-entry-form.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { useBack } from '#src/ui/page/use-back.ts'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import { RichTextField } from '#src/ui/rich-text/rich-text-field.tsx'
import { createUpload, formOf } from '#src/ui/uploads/upload.ts'
import { adminArticleTexts } from '../admin-texts.ts'
import type { Article, ArticleInput } from '../contract.ts'
import { reasonForDraft } from '../contract.ts'
import { isKnownCategory, knownCategories, pathOfArticle, slugMax } from '../values.ts'
import type { Route } from './+types/admin-article-page.ts'
import { ArticleText } from './article-text.tsx'
import { subjectOf } from './subjects.tsx'

const path = '/api/articles/articles'
const home = '/admin/articles'
const blank: ArticleInput = {
  slug: '',
  slug_en: '',
  titre: '',
  titre_en: '',
  corps: '',
  corps_en: '',
  categorie: '',
  public: true,
  publie: true,
  mots_cles: '',
  mots_cles_en: '',
  a_revoir_le: null,
}

/** The entry named by the address; none for a new one. */
export async function clientLoader({ params, request }: Route.ClientLoaderArgs) {
  const { searchParams } = new URL(request.url)
  const loaded = await loadEntry<Article>(path, params.id_article)
  return { ...loaded, titles: { titre: searchParams.get('titre') ?? '', titre_en: searchParams.get('titre_en') ?? '' } }
}

export default function AdminArticlePage({ loaderData: { entry, lastChange, titles } }: Route.ComponentProps) {
  return <ArticleForm key={entry?.id_article} article={entry} lastChange={lastChange} titles={titles} />
}

type ArticleFormProps = {
  article?: Article
  lastChange?: Changed | null
  titles: Pick<ArticleInput, 'titre' | 'titre_en'>
}

/** Used to create and to edit; nothing is required, but without a French title and text the article stays a draft. */
function ArticleForm({ article, lastChange = null, titles }: ArticleFormProps) {
  useRight(['articles'], 'read_write')
  const t = useTexts(adminArticleTexts)
  const language = useLanguage()
  const goBack = useBack(home)
  const form = useEntryForm<ArticleInput, Article>({
    draftKey: `articles/${article?.id_article ?? 'new'}`,
    initial: article ? valuesOf(article) : { ...blank, ...titles },
    readCurrent: (current) => valuesOf(current as Article),
    save: (values) => (article ? callApi('PUT', `${path}/${article.id_article}`, values) : callApi('POST', path, values)),
    onSaved: goBack,
    savedAs: (saved) => ({
      name: pickText(language, saved.titre, saved.titre_en) || t('untitled'),
      path: `${home}/${saved.id_article}`,
    }),
  })
  const { values, change } = form
  const { textOf, dayOf, richTextOf, errorOf } = useFieldProps(form, {
    taken: t('slugTaken'),
    'lowercase letters, digits and hyphens': t('slugWrong'),
  })
  const marksOf = useBilingual(form, !article, article?.english_older)
  const title = marksOf('titre', 'titre_en')
  const text = marksOf('corps', 'corps_en')
  const keywords = marksOf('mots_cles', 'mots_cles_en')
  const showHtml = (html: string) => <RichText html={html} />
  const reason = values.publie ? reasonForDraft(values) : null

  return (
    <EntryForm
      title={article ? pickText(language, article.titre, article.titre_en) || t('untitled') : t('createTitle')}
      subtitle={<LastChange section={t('title')} change={lastChange} />}
      home={home}
      page={article && pathOfArticle('fr', article)}
      form={form}
      preview={() => <ArticleText article={values} />}
      fields={[
        { key: 'titre', label: t('articleTitle') },
        { key: 'titre_en', label: t('articleTitleEn') },
        { key: 'corps', label: t('text'), show: showHtml },
        { key: 'corps_en', label: t('textEn'), show: showHtml },
        { key: 'categorie', label: t('subject'), show: (category: string) => subjectOf(category, language) },
        { key: 'mots_cles', label: t('keywords'), isUnseen: true },
        { key: 'mots_cles_en', label: t('keywordsEn') },
        { key: 'slug', label: t('slug'), isUnseen: true },
        { key: 'slug_en', label: t('slugEn') },
        { key: 'a_revoir_le', label: t('reviewOn'), show: (day: string) => formatDay(day, language) },
      ]}
    >
      <div className="grid gap-6 xl:grid-cols-2">
        <TextField label={t('articleTitle')} {...title.french} {...textOf('titre')} maxLength={200} autoComplete="off" />
        <TextField label={t('articleTitleEn')} {...title.english} {...textOf('titre_en')} maxLength={200} autoComplete="off" />
        <RichTextField
          label={t('text')}
          {...text.french}
          hint={t('textHint')}
          {...richTextOf('corps')}
          createPictureUpload={createPictureUpload}
        />
        <RichTextField
          label={t('textEn')}
          {...text.english}
          {...richTextOf('corps_en')}
          createPictureUpload={createPictureUpload}
        />
        <TextArea
          label={t('keywords')}
          {...keywords.french}
          hint={t('keywordsHint')}
          {...textOf('mots_cles')}
          rows={2}
          maxLength={500}
        />
        <TextArea label={t('keywordsEn')} {...keywords.english} {...textOf('mots_cles_en')} rows={2} maxLength={500} />
        <TextField
          label={t('slug')}
          hint={t('slugHint')}
          {...textOf('slug')}
          maxLength={slugMax}
          autoComplete="off"
          spellCheck={false}
        />
        <TextField label={t('slugEn')} {...textOf('slug_en')} maxLength={slugMax} autoComplete="off" spellCheck={false} />
        <SelectField
          label={t('subject')}
          name="categorie"
          value={values.categorie}
          error={errorOf('categorie')}
          onChange={(event) => change({ categorie: event.target.value })}
        >
          <option value="">{t('noSubject')}</option>
          {knownCategories.map((category) => (
            <option key={category} value={category}>
              {subjectOf(category, language)}
            </option>
          ))}
          {values.categorie !== '' && !isKnownCategory(values.categorie) && (
            <option value={values.categorie}>{values.categorie}</option>
          )}
        </SelectField>
        <TextField label={t('reviewOn')} hint={t('reviewOnHint')} {...dayOf('a_revoir_le')} />
        <SwitchField
          label={t('isPublished')}
          hint={reason ? t(reason === 'title' ? 'needsTitle' : 'needsText') : t('isPublishedHint')}
          checked={values.publie}
          onChange={(publie) => change({ publie })}
        />
        <SwitchField
          label={t('isPublic')}
          hint={t('isPublicHint')}
          checked={values.public}
          onChange={(isPublic) => change({ public: isPublic })}
        />
      </div>
    </EntryForm>
  )
}

const createPictureUpload = (file: File) =>
  createUpload<{ url: string; width: number; height: number }>([file], {
    path: '/api/articles/pictures',
    purpose: 'article_pictures',
    body: formOf,
  })

function valuesOf(article: Article): ArticleInput {
  const { id_article: _id, created_at: _created, updated_at: _updated, english_older: _older, ...values } = article
  return values
}
