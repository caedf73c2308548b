import type { ChangeEvent } from 'react'
import { useState } from 'react'
import { company } from '#company/company.ts'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { EntryForm } from '#src/features/content/web/entry-form.tsx'
import { pageNames } from '#src/features/content/page-names.ts'
import type { Language } from '#src/lib/language/language.ts'
import { locales, pickText } from '#src/lib/language/language.ts'
import { ApiError, callApi, getJson } from '#src/ui/api.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { Field, TextArea, TextField } from '#src/ui/forms/field.tsx'
import { useEntryForm, useFieldProps } from '#src/ui/forms/use-entry-form.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { titleWithCompany } from '#src/ui/page/page-meta.ts'
import { useBack } from '#src/ui/page/use-back.ts'
import { createUpload, formOf } from '#src/ui/uploads/upload.ts'
import { StoppedUpload, UploadBar } from '#src/ui/uploads/upload-bar.tsx'
import { useFileUpload } from '#src/ui/uploads/use-upload.ts'
import type { DescriptionInput, PageDescription, SharePicture, ShownTags } from '../contract.ts'
import { descriptionTexts } from '../texts.ts'
import { sharePictureMaxBytes, usualLengths } from '../values.ts'
import type { Route } from './+types/admin-description-page.ts'

const home = '/admin/recherche_partage'
const types = 'image/jpeg,image/png,image/webp,image/avif'

export const clientLoader = ({ params }: Route.ClientLoaderArgs) =>
  getJson<PageDescription>(`/api/pages/${encodeURIComponent(params.key)}`)

export default function AdminDescriptionPage({ loaderData: page }: Route.ComponentProps) {
  return <DescriptionForm key={page.key} page={page} />
}

/** Title, description and picture of a page, with what search results and shared links will show of it as one types. */
function DescriptionForm({ page }: { page: PageDescription }) {
  useRight(['company'], 'read_write')
  const t = useTexts(descriptionTexts)
  const language = useLanguage()
  const form = useEntryForm<DescriptionInput, PageDescription>({
    draftKey: `page_descriptions/${page.key}`,
    initial: valuesOf(page),
    readCurrent: (current) => valuesOf(current as PageDescription),
    save: (values) => callApi<PageDescription>('PUT', `/api/pages/${encodeURIComponent(page.key)}`, values),
    onSaved: useBack(home),
  })
  const { values, change } = form
  const { textOf, errorOf } = useFieldProps(form)
  const { supplied, path } = page
  const name = pageNames[path]
  const isFrenchOnly = supplied.fr !== null && supplied.en === null
  const lengthOf = (text: string, kind: keyof typeof usualLengths) => {
    const usual = usualLengths[kind]
    const count = [...text].length
    return (
      <span className={count > usual ? 'font-bold text-warn' : ''}>
        {t(count > usual ? 'tooLong' : 'length', { count, usual })}
      </span>
    )
  }
  const shown = {
    fr: shownAs(supplied.fr, { title: values.title, description: values.description, picture: values.picture }),
    en: shownAs(supplied.en, { title: values.title_en, description: values.description_en, picture: values.picture }),
  }
  const columns = [
    { of: 'fr', title: 'title', titleLabel: 'pageTitle', description: 'description', descriptionLabel: 'description' },
    { of: 'en', title: 'title_en', titleLabel: 'pageTitleEn', description: 'description_en', descriptionLabel: 'descriptionEn' },
  ] as const

  return (
    <EntryForm
      title={name ? pickText(language, name.fr, name.en) : supplied[language]?.title || supplied.fr?.title || path}
      subtitle={t('title')}
      home={home}
      form={form}
      entry={null}
      fields={[
        { key: 'title', label: t('pageTitle') },
        { key: 'title_en', label: t('pageTitleEn') },
        { key: 'description', label: t('description') },
        { key: 'description_en', label: t('descriptionEn') },
        { key: 'picture', label: t('picture') },
      ]}
    >
      <p className="mb-6 flex flex-wrap gap-x-6 gap-y-2">
        <Link to={path} className="text-brand underline">
          {t('seePage')}
        </Link>
        <span className="text-ink-2">{t('empty')}</span>
        {isFrenchOnly && <span className="text-ink-2">{t('frenchOnly')}</span>}
        {supplied.fr === null && <span className="text-ink-2">{t('noText')}</span>}
      </p>
      <div className="grid gap-x-8 gap-y-10 xl:grid-cols-2">
        {columns
          .filter(({ of }) => of === 'fr' || !isFrenchOnly)
          .map(({ of, title, titleLabel, description, descriptionLabel }) => (
            <div key={of} className="grid content-start gap-6">
              <TextField
                label={t(titleLabel)}
                badge={<Badge>{of.toUpperCase()}</Badge>}
                lang={locales[of]}
                placeholder={supplied[of]?.title}
                hint={lengthOf(shown[of].title, 'title')}
                {...textOf(title)}
                maxLength={300}
                autoComplete="off"
              />
              <TextArea
                label={t(descriptionLabel)}
                badge={<Badge>{of.toUpperCase()}</Badge>}
                lang={locales[of]}
                placeholder={supplied[of]?.description}
                hint={lengthOf(shown[of].description, 'description')}
                {...textOf(description)}
                rows={3}
                maxLength={500}
              />
              <SearchResult path={path} language={of} shown={shown[of]} />
              <ShareCard language={of} shown={shown[of]} />
            </div>
          ))}
      </div>
      <PictureField value={values.picture} error={errorOf('picture')} onChange={(picture) => change({ picture })} />
    </EntryForm>
  )
}

/** What will be shown: an empty field leaves the page's own text. */
function shownAs(supplied: ShownTags | null, own: ShownTags): ShownTags {
  return {
    title: own.title.trim() ? titleWithCompany(own.title.trim()) : (supplied?.title ?? ''),
    description: own.description.trim() || (supplied?.description ?? ''),
    picture: own.picture || (supplied?.picture ?? ''),
  }
}

function valuesOf({ title, title_en, description, description_en, picture, version }: PageDescription): DescriptionInput {
  return { title, title_en, description, description_en, picture, version }
}

/** As a search engine lists the page. */
function SearchResult({ path, language, shown }: { path: string; language: Language; shown: ShownTags }) {
  const t = useTexts(descriptionTexts)
  return (
    <section aria-label={`${t('result')} (${language.toUpperCase()})`} className="grid gap-2">
      <p className="text-sm font-bold">{t('result')}</p>
      <div className="card grid gap-1 p-4" lang={locales[language]}>
        <p className="flex items-center gap-2 text-sm">
          <img src="/favicon.svg" alt="" width={26} height={26} />
          <span className="grid">
            <span>{company.name}</span>
            <span className="text-ink-2 wrap-anywhere">{`${location.host}${path === '/' ? '' : path}`}</span>
          </span>
        </p>
        <p className="line-clamp-2 text-xl text-brand">{shown.title}</p>
        <p className="line-clamp-3 text-sm wrap-anywhere">{shown.description}</p>
      </div>
    </section>
  )
}

/** As social media and messages show a link to the page. */
function ShareCard({ language, shown }: { language: Language; shown: ShownTags }) {
  const t = useTexts(descriptionTexts)
  return (
    <section aria-label={`${t('card')} (${language.toUpperCase()})`} className="grid gap-2">
      <p className="flex justify-between gap-4 text-sm">
        <span className="font-bold">{t('card')}</span>
        <span className="text-ink-2 tabular">1200 × 630</span>
      </p>
      <div className="card max-w-md overflow-hidden p-0" lang={locales[language]}>
        {shown.picture && <img src={shown.picture} alt="" width={1200} height={630} className="h-auto w-full" />}
        <div className="grid gap-1 p-4">
          <p className="text-sm text-ink-2">{location.host}</p>
          <p className="line-clamp-2 font-bold wrap-anywhere">{shown.title}</p>
          <p className="line-clamp-3 text-sm text-ink-2 wrap-anywhere">{shown.description}</p>
        </div>
      </div>
    </section>
  )
}

const target = { path: '/api/pages/pictures', purpose: 'share_pictures', body: formOf }

type PictureFieldProps = { value: string; error: string | undefined; onChange: (picture: string) => void }

function PictureField({ value, error, onChange }: PictureFieldProps) {
  const t = useTexts(descriptionTexts)
  const f = useTexts(failureTexts)
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState('')
  const { progress, send, stop, stopped, forget } = useFileUpload<SharePicture>()
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = event.target.files?.[0]
    event.target.value = ''
    if (!chosen) return
    setProblem('')
    forget()
    setFile(chosen)
    if (chosen.size > sharePictureMaxBytes) setProblem(t('largePicture'))
    else void upload(chosen)
  }
  const upload = async (chosen: File) => {
    try {
      const stored = await send(() => createUpload([chosen], target))
      if (stored) onChange(stored.url)
    } catch (failure) {
      console.warn(failure)
      const isWrong = failure instanceof ApiError && (failure.status === 415 || failure.status === 422)
      setProblem(isWrong ? t('wrongPicture') : f(failureOf(failure)))
    }
  }
  return (
    <div className="mt-10">
      <Field label={t('picture')} hint={t('pictureHint')} error={problem || error}>
        {(attributes) => (
          <div className="flex flex-wrap items-center gap-3">
            <input
              type="file"
              accept={types}
              className="input max-w-md"
              disabled={progress !== null}
              onChange={choose}
              {...attributes}
            />
            {value && (
              <Button variant="secondary" onClick={() => onChange('')}>
                {t('removePicture')}
              </Button>
            )}
          </div>
        )}
      </Field>
      <div className="mt-3 max-w-md">
        {file && progress && <UploadBar name={file.name} progress={progress} onStop={stop} />}
        {file && stopped && <StoppedUpload upload={stopped} onResume={() => void upload(file)} />}
      </div>
    </div>
  )
}
