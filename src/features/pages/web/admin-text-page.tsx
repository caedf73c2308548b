import { useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Changed } from '#src/features/content/web/conflict-dialog.tsx'
import { EntryForm, LastChange, loadEntry } from '#src/features/content/web/entry-form.tsx'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { useBilingual } from '#src/features/content/web/use-bilingual.tsx'
import type { Language } from '#src/lib/language/language.ts'
import { pickText } from '#src/lib/language/language.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { ConfirmDialog } from '#src/ui/components/dialog.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { hideSavedNotice, showSavedNotice } from '#src/ui/components/toast.tsx'
import { TextArea, TextField } from '#src/ui/forms/field.tsx'
import { useEntryForm, useFieldProps } from '#src/ui/forms/use-entry-form.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { useBack } from '#src/ui/page/use-back.ts'
import { longTextTexts } from '../admin-texts.ts'
import type { LongText, LongTextHelp, LongTextInput, RenderedTexts } from '../contract.ts'
import { isTutorial } from '../contract.ts'
import type { Route } from './+types/admin-text-page.ts'
import { TextBody } from './text-body.tsx'

const path = '/api/site/long_texts'
const home = '/admin/textes'

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const [{ entry, lastChange }, help] = await Promise.all([
    loadEntry<LongText>(path, params.id_text),
    getJson<LongTextHelp>(`${path}/${encodeURIComponent(params.id_text)}/help`),
  ])
  return { entry, lastChange, help }
}

export default function AdminTextPage({ loaderData: { entry, lastChange, help } }: Route.ComponentProps) {
  return entry && <LongTextForm key={entry.id_text} text={entry} lastChange={lastChange} help={help} />
}

type LongTextFormProps = { text: LongText; lastChange: Changed | null; help: LongTextHelp }

/** A long text in both languages side by side, over its file. */
function LongTextForm({ text, lastChange, help }: LongTextFormProps) {
  useRight(['company'], 'read_write')
  const t = useTexts(longTextTexts)
  const language = useLanguage()
  const { revalidate } = useRevalidator()
  const isFrenchOnly = isTutorial(text.name)
  const save = (values: LongTextInput) => callApi<LongText>('PUT', `${path}/${text.id_text}`, values)
  const form = useEntryForm<LongTextInput, LongText>({
    draftKey: `long_texts/${text.id_text}`,
    initial: valuesOf(text),
    readCurrent: (current) => valuesOf(current as LongText),
    save,
    onSaved: useBack(home),
    required: isFrenchOnly ? frenchKeys : [...frenchKeys, ...englishKeys],
  })
  const { values } = form
  const { textOf } = useFieldProps(form, useFaults(form.errors))
  const marksOf = useBilingual(form, false, text.english_older)
  const marks = {
    titre: marksOf('titre', 'titre_en'),
    description: marksOf('description', 'description_en'),
    introduction: marksOf('introduction', 'introduction_en'),
    texte: marksOf('texte', 'texte_en'),
  }
  const [isAsked, setAsked] = useState(false)
  const reset = async () => {
    setAsked(false)
    hideSavedNotice()
    try {
      form.restart(valuesOf(await save({ name: text.name, ...help.supplied, version: values.version })))
      await revalidate()
      showSavedNotice()
    } catch (error) {
      console.warn(error)
      form.refuse(error)
    }
  }
  const labels = {
    titre: t('french'),
    titre_en: t('english'),
    description: t('description'),
    description_en: t('descriptionEn'),
    introduction: t('introduction'),
    introduction_en: t('introductionEn'),
    texte: t('body'),
    texte_en: t('bodyEn'),
  }
  const keys = isFrenchOnly ? frenchKeys : frenchKeys.flatMap((key) => [key, `${key}_en` as const])

  return (
    <EntryForm
      title={pickText(language, text.titre, text.titre_en)}
      subtitle={<LastChange section={t('title')} change={lastChange} />}
      home={home}
      page={text.path}
      form={form}
      preview={(shown) => <TextPreview values={values} language={shown} />}
      fields={keys.map((key) => ({ key, label: labels[key] }))}
    >
      <p className="mb-6 flex flex-wrap items-center gap-x-6 gap-y-2">
        <Link to={text.path} className="text-brand underline">
          {t('seePage')}
        </Link>
        {isFrenchOnly && <span className="text-ink-2">{t('frenchOnly')}</span>}
        {!text.is_default && (
          <Button variant="secondary" size="small" onClick={() => setAsked(true)}>
            {t('reset')}
          </Button>
        )}
      </p>
      <div className={`grid gap-6 ${isFrenchOnly ? '' : 'xl:grid-cols-2'}`}>
        {keys.map((key) => {
          const french = key.replace(/_en$/, '') as (typeof frenchKeys)[number]
          const mark = marks[french][key === french ? 'french' : 'english']
          const props = { label: labels[key], ...mark, ...textOf(key) }
          if (french === 'titre') return <TextField key={key} {...props} maxLength={200} autoComplete="off" />
          if (french === 'texte') return <TextArea key={key} {...props} rows={28} />
          const hint = french === 'description' ? { hint: mark.hint || t('descriptionHint') } : {}
          return <TextArea key={key} {...props} {...hint} rows={3} />
        })}
      </div>
      <WritingHelp help={help} />
      <ConfirmDialog
        open={isAsked}
        title={t('resetTitle')}
        consequence={t(form.isDirty ? 'resetDirty' : 'resetQuestion')}
        confirmLabel={t('reset')}
        onConfirm={() => void reset()}
        onCancel={() => setAsked(false)}
      />
    </EntryForm>
  )
}

const frenchKeys = ['titre', 'description', 'introduction', 'texte'] as const
const englishKeys = ['titre_en', 'description_en', 'introduction_en', 'texte_en'] as const

function valuesOf(text: LongText): LongTextInput {
  const { id_text: _id, path: _path, is_default: _default, english_older: _older, updated_at: _at, ...values } = text
  return values
}

const faults = [
  [/^unknown placeholder (.+)$/, 'unknownPlaceholder'],
  [/^unknown block (.+)$/, 'unknownBlock'],
  [/^the block (\S+) has no/, 'emptyBlock'],
] as const

/** What the server found wrong in a text, in words. */
function useFaults(errors: Record<string, string>) {
  const t = useTexts(longTextTexts)
  const found: Record<string, string> = {}
  for (const error of Object.values(errors))
    for (const [pattern, key] of faults) {
      const [, name] = pattern.exec(error) ?? []
      if (name) found[error] = t(key, { name })
    }
  return found
}

/** How to write the text, and the words that stand for a value of the company. */
function WritingHelp({ help: { placeholders } }: { help: LongTextHelp }) {
  const t = useTexts(longTextTexts)
  const language = useLanguage()
  return (
    <details className="mt-6">
      <summary className="font-bold text-brand">{t('help')}</summary>
      <div className="mt-3 grid max-w-prose gap-3">
        <p>{t('helpSyntax')}</p>
        <p>{t('helpBlocks')}</p>
        <p>{t('helpTypography')}</p>
        <p>{t('helpValues')}</p>
        <ul className="grid gap-1 text-sm">
          {placeholders.map(({ name, value }) => (
            <li key={name} className="wrap-anywhere">
              <code>{`{${name}}`}</code>
              <span className="text-ink-2">{` · ${value[language]}`}</span>
            </li>
          ))}
          <li>{t('helpHours')}</li>
        </ul>
      </div>
    </details>
  )
}

/** The text as its page will show it, written by the server. */
function TextPreview({ values, language }: { values: LongTextInput; language: Language }) {
  const t = useTexts(longTextTexts)
  const [shown, setShown] = useState<RenderedTexts | 'failed' | null>(null)
  useEffect(() => {
    let isCurrent = true
    callApi<RenderedTexts>('POST', `${path}/preview`, values)
      .then((texts) => isCurrent && setShown(texts))
      .catch((error: unknown) => {
        console.warn(error)
        if (isCurrent) setShown('failed')
      })
    return () => {
      isCurrent = false
    }
  }, [values])
  if (shown === null) return <p role="status">{t('previewLoading')}</p>
  if (shown === 'failed') return <p role="alert">{t('previewFailed')}</p>
  const text = shown[language]
  if (!text) return <p>{t('noEnglish')}</p>
  return (
    <>
      <h1 className="mb-3">{text.title}</h1>
      <p className="mb-6 text-lg text-ink-2">{text.lead}</p>
      <TextBody text={text} />
    </>
  )
}
