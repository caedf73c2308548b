import { useBilingual } from '#src/features/content/web/use-bilingual.tsx'
import { pickText } from '#src/lib/language/language.ts'
import { callApi } from '#src/ui/api.ts'
import { TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import { RichTextField } from '#src/ui/rich-text/rich-text-field.tsx'
import { useBack } from '#src/ui/page/use-back.ts'
import { useEntryForm } from '#src/ui/forms/use-entry-form.ts'
import { useFieldProps } from '#src/ui/forms/use-field-props.ts'
import { adminHomeTexts } from '../admin-texts.ts'
import type { HomeInformation, HomeInformationInput } from '../contract.ts'
import { HomeEditor } from './home-editor.tsx'
import { HomeInformationPanel } from './home-information-panel.tsx'

type Values = HomeInformationInput & { id: number | null }

const path = '/api/home_informations/home_information'
const blank: Values = { id: null, title: '', title_en: '', description: '', description_en: '' }

/** The information panel as it is edited; saving creates it or changes the one there is, then goes back. */
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

/** Second part of `/admin/notes`. */
export function InformationEditor({ form, current }: InformationEditorProps) {
  const t = useTexts(adminHomeTexts)
  const { values } = form
  const { textOf, richTextOf } = useFieldProps(form)
  const marksOf = useBilingual(form, !current, current?.english_older)
  const title = marksOf('title', 'title_en')
  const description = marksOf('description', 'description_en')
  const showHtml = (html: string) => <RichText html={html} />
  return (
    <HomeEditor
      name="information"
      title={t('informationTitle')}
      hint={t('informationHint')}
      form={form}
      isShown={current !== null}
      remove={current && (() => callApi('DELETE', `${path}/${current.id_home_information}`))}
      saveLabel={t('saveInformation')}
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
      <TextField label={t('title')} {...title.french} {...textOf('title')} maxLength={200} autoComplete="off" />
      <TextField label={t('titleEn')} {...title.english} {...textOf('title_en')} maxLength={200} autoComplete="off" />
      <RichTextField label={t('description')} {...description.french} {...richTextOf('description')} />
      <RichTextField label={t('descriptionEn')} {...description.english} {...richTextOf('description_en')} />
    </HomeEditor>
  )
}

function valuesOf(current: HomeInformation): Values {
  const { id_home_information: id, title, title_en, description, description_en, version } = current
  return { id, title, title_en, description, description_en, version }
}
