import { EntryForm, LastChange, loadEntry } from '#src/features/content/web/entry-form.tsx'
import type { Changed } from '#src/features/content/web/conflict-dialog.tsx'
import { useBilingual } from '#src/features/content/web/use-bilingual.tsx'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { pickText } from '#src/lib/language/language.ts'
import { callApi } from '#src/ui/api.ts'
import { TextArea, TextField } from '#src/ui/forms/field.tsx'
import { useEntryForm, useFieldProps } from '#src/ui/forms/use-entry-form.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { useBack } from '#src/ui/page/use-back.ts'
import { adminGadgetTexts } from '../admin-texts.ts'
import type { Gadget, GadgetInput } from '../contract.ts'
import type { Route } from './+types/admin-gadget-page.ts'
import { GadgetCard } from './gadget-card.tsx'

const path = '/api/gadgets'

/** The entry named by the address; none for a new one. */
export const clientLoader = ({ params }: Route.ClientLoaderArgs) => loadEntry<Gadget>(path, params.id_gadget)

export default function AdminGadgetPage({ loaderData: { entry: gadget, lastChange } }: Route.ComponentProps) {
  return <GadgetForm key={gadget?.id_gadget} gadget={gadget} lastChange={lastChange} />
}

type GadgetFormProps = { gadget?: Gadget; lastChange?: Changed | null }

/** Used to create and to edit. */
function GadgetForm({ gadget, lastChange = null }: GadgetFormProps) {
  useRight(['gadgets'], 'read_write')
  const t = useTexts(adminGadgetTexts)
  const language = useLanguage()
  const goBack = useBack('/admin/gadgets')
  const form = useEntryForm<GadgetInput, Gadget>({
    draftKey: `gadgets/${gadget?.id_gadget ?? 'new'}`,
    initial: gadget ? valuesOf(gadget) : { name: '', name_en: '', description: '', description_en: '' },
    required: ['name'],
    readCurrent: (current) => valuesOf(current as Gadget),
    save: (values) => (gadget ? callApi('PUT', `${path}/${gadget.id_gadget}`, values) : callApi('POST', path, values)),
    onSaved: goBack,
  })
  const { values } = form
  const { textOf } = useFieldProps(form)
  const marksOf = useBilingual(form, !gadget, gadget?.english_older)
  const name = marksOf('name', 'name_en')
  const description = marksOf('description', 'description_en')

  return (
    <EntryForm
      title={gadget ? pickText(language, gadget.name, gadget.name_en) : t('createTitle')}
      subtitle={<LastChange section={t('title')} change={lastChange} />}
      home="/admin/gadgets"
      form={form}
      preview={() => <GadgetCard gadget={values} />}
      fields={[
        { key: 'name', label: t('name') },
        { key: 'name_en', label: t('nameEn') },
        { key: 'description', label: t('description') },
        { key: 'description_en', label: t('descriptionEn') },
      ]}
    >
      <div className="grid gap-6 md:grid-cols-2">
        <TextField label={t('name')} {...name.french} {...textOf('name')} maxLength={200} autoComplete="off" />
        <TextField label={t('nameEn')} {...name.english} {...textOf('name_en')} maxLength={200} autoComplete="off" />
        <TextArea label={t('description')} {...description.french} {...textOf('description')} rows={6} maxLength={10_000} />
        <TextArea label={t('descriptionEn')} {...description.english} {...textOf('description_en')} rows={6} maxLength={10_000} />
      </div>
    </EntryForm>
  )
}

function valuesOf({ name, name_en, description, description_en, version }: Gadget): GadgetInput {
  return { name, name_en, description, description_en, version }
}
