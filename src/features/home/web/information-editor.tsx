import { useBilingual } from '#src/features/site/web/use-bilingual.tsx'
import { pickText } from '#src/lib/language.ts'
import { callApi } from '#src/ui/api.ts'
import { fieldErrorKey, fieldErrorTexts } from '#src/ui/failures.ts'
import { TextField } from '#src/ui/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { RichText } from '#src/ui/rich-text.tsx'
import { RichTextField } from '#src/ui/rich-text-field.tsx'
import { useBack } from '#src/ui/use-back.ts'
import { useEntryForm } from '#src/ui/use-entry-form.ts'
import { adminHomeTexts } from '../admin-texts.ts'
import type { HomeInformation, HomeInformationInput } from '../contract.ts'
import { HomeEditor } from './home-editor.tsx'
import { HomeInformationPanel } from './home-information-panel.tsx'

type Values = HomeInformationInput & { id: number | null }

const path = '/api/home_informations/home_information'
const blank: Values = { id: null, title: '', title_en: '', description: '', description_en: '' }

/** The information panel as it is edited; saving creates it or changes the one there is, then goes back (spec.md 4). */
export function useInformationForm(current: HomeInformation | null) {
  return useEntryForm<Values, HomeInformation>({
    draftKey: 'home_information',
    initial: current ? valuesOf(current) : blank,
    readCurrent: (stored) => valuesOf(stored as HomeInformation),
    save: ({ id, ...input }) => (id ? callApi('PUT', `${path}/${id}`, input) : callApi('POST', path, input)),
    onSaved: useBack('/admin/panel'),
  })
}

type InformationEditorProps = { form: ReturnType<typeof useInformationForm>; current: HomeInformation | null }

/** Second part of `/admin/notes` (spec.md 2.6). */
export function InformationEditor({ form, current }: InformationEditorProps) {
  const t = useTexts(adminHomeTexts)
  const f = useTexts(fieldErrorTexts)
  const { values, change, errors } = form
  const marksOf = useBilingual(form, !current, current?.english_older)
  const title = marksOf('title', 'title_en')
  const description = marksOf('description', 'description_en')
  const errorOf = (field: keyof Values) => errors[field] && f(fieldErrorKey(errors[field]))
  const titleOf = (field: 'title' | 'title_en') => ({
    value: values[field],
    error: errorOf(field),
    maxLength: 200,
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => change({ [field]: event.target.value }),
  })
  const textOf = (field: 'description' | 'description_en') => ({
    value: values[field],
    error: errorOf(field),
    onChange: (html: string) => change({ [field]: html }),
  })
  const showHtml = (html: string) => <RichText html={html} />
  return (
    <HomeEditor
      name="information"
      title={t('informationTitle')}
      hint={t('informationHint')}
      form={form}
      isShown={current !== null}
      remove={current && (() => callApi('DELETE', `${path}/${current.id_home_information}`))}
      confirmTitle={t('confirmInformation')}
      blank={blank}
      preview={(language) => (
        <HomeInformationPanel
          information={{
            title: pickText(language, values.title, values.title_en),
            description: pickText(language, values.description, values.description_en),
          }}
        />
      )}
      fields={[
        { key: 'title', label: t('title') },
        { key: 'title_en', label: t('titleEn') },
        { key: 'description', label: t('description'), show: showHtml },
        { key: 'description_en', label: t('descriptionEn'), show: showHtml },
      ]}
    >
      <TextField label={t('title')} badge={title.frenchBadge} {...titleOf('title')} lang="fr-CA" />
      <TextField label={t('titleEn')} badge={title.englishBadge} hint={title.englishHint} {...titleOf('title_en')} lang="en-CA" />
      <RichTextField label={t('description')} badge={description.frenchBadge} {...textOf('description')} lang="fr-CA" />
      <RichTextField
        label={t('descriptionEn')}
        badge={description.englishBadge}
        hint={description.englishHint}
        {...textOf('description_en')}
        lang="en-CA"
      />
    </HomeEditor>
  )
}

function valuesOf(current: HomeInformation): Values {
  const { id_home_information: id, title, title_en, description, description_en, version } = current
  return { id, title, title_en, description, description_en, version }
}
