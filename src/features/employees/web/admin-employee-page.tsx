import { EntryForm, LastChange, loadEntry } from '#src/features/content/web/entry-form.tsx'
import type { Changed } from '#src/features/content/web/conflict-dialog.tsx'
import { PublishedField } from '#src/features/content/web/publication-fields.tsx'
import { publicationTexts } from '#src/features/content/texts.ts'
import { useBilingual } from '#src/features/content/web/use-bilingual.tsx'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { callApi } from '#src/ui/api.ts'
import { SelectField, TextArea, TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { useBack } from '#src/ui/page/use-back.ts'
import { useEntryForm, useFieldProps } from '#src/ui/forms/use-entry-form.ts'
import { adminEmployeeTexts } from '../admin-texts.ts'
import type { Employee, EmployeeInput } from '../contract.ts'
import { departmentTexts } from '../texts.ts'
import type { Department } from '../values.ts'
import { departments } from '../values.ts'
import type { Route } from './+types/admin-employee-page.ts'
import { EmployeeProfile } from './employee-profile.tsx'
import { PhotoPicker, ShownPhoto } from '#src/features/content/web/photo-picker.tsx'

type Values = Omit<EmployeeInput, 'departement' | 'sousdepartement' | 'photo'> & {
  departement: Department | ''
  sousdepartement: Department | ''
  photo: string | null
}

const path = '/api/employees/employes'
const required = ['nom', 'departement', 'sousdepartement', 'titre', 'titre_en', 'email', 'description', 'description_en'] as const
const blank: Values = {
  nom: '',
  departement: '',
  sousdepartement: '',
  titre: '',
  titre_en: '',
  email: '',
  description: '',
  description_en: '',
  publie: true,
  photo: null,
}

/** The entry named by the address; none for a new one. */
export const clientLoader = ({ params }: Route.ClientLoaderArgs) => loadEntry<Employee>(path, params.id_employe)

export default function AdminEmployeePage({ loaderData: { entry: employee, lastChange } }: Route.ComponentProps) {
  return <EmployeeForm key={employee?.id_employe} employee={employee} lastChange={lastChange} />
}

type EmployeeFormProps = { employee?: Employee; lastChange?: Changed | null }

/** Used to create and to edit; saving goes one history step back. */
function EmployeeForm({ employee, lastChange = null }: EmployeeFormProps) {
  useRight(['employees'], 'read_write')
  const t = useTexts(adminEmployeeTexts)
  const d = useTexts(departmentTexts)
  const p = useTexts(publicationTexts)
  const goBack = useBack('/admin/equipe')
  const form = useEntryForm<Values, Employee>({
    draftKey: `employees/${employee?.id_employe ?? 'new'}`,
    initial: employee ? valuesOf(employee) : blank,
    readCurrent: (current) => valuesOf(current as Employee),
    required,
    large: ['new_photo'],
    save: (values) => (employee ? callApi('PUT', `${path}/${employee.id_employe}`, values) : callApi('POST', path, values)),
    onSaved: goBack,
    savedAs: (saved) => ({ name: saved.nom, path: `/admin/equipe_edit/${saved.id_employe}` }),
  })
  const { values, change } = form
  const { textOf } = useFieldProps(form)
  const marksOf = useBilingual(form, !employee, employee?.english_older)
  const title = marksOf('titre', 'titre_en')
  const description = marksOf('description', 'description_en')
  const choices = (
    <>
      <option value="">{t('choose')}</option>
      {departments.map((department) => (
        <option key={department} value={department}>
          {d(department)}
        </option>
      ))}
    </>
  )
  const labelOf = (department: Department) => d(department)

  return (
    <EntryForm
      title={employee ? employee.nom : t('createTitle')}
      subtitle={<LastChange section={t('title')} change={lastChange} />}
      home="/admin/equipe"
      page={employee && `/team/employe/${employee.id_employe}`}
      form={form}
      preview={() => <Preview values={values} />}
      fields={[
        { key: 'nom', label: t('name') },
        { key: 'email', label: t('email') },
        { key: 'departement', label: t('department'), show: labelOf },
        { key: 'sousdepartement', label: t('subDepartment'), show: labelOf },
        { key: 'titre', label: t('jobTitle') },
        { key: 'titre_en', label: t('jobTitleEn') },
        { key: 'description', label: t('description') },
        { key: 'description_en', label: t('descriptionEn') },
        { key: 'publie', label: p('published'), show: (isPublished: boolean) => p(isPublished ? 'published' : 'draft') },
        {
          key: 'photo',
          parts: ['new_photo', 'new_photo_path'],
          label: t('photo'),
          read: ({ new_photo: chosen, photo }) => chosen ?? photo,
          show: (photo: string) => <ShownPhoto photo={photo} name={values.nom} className="w-32" />,
        },
      ]}
    >
      <div className="grid items-start gap-8 lg:grid-cols-[12rem_1fr]">
        <PhotoPicker
          name={values.nom}
          photo={values.photo}
          newPhoto={values.new_photo}
          newPhotoPath={values.new_photo_path}
          onChange={change}
        />
        <div className="grid gap-6 md:grid-cols-2">
          <TextField label={t('name')} {...textOf('nom')} maxLength={200} autoComplete="off" />
          <TextField label={t('email')} type="email" {...textOf('email')} maxLength={254} autoComplete="off" />
          <SelectField label={t('department')} {...textOf('departement')}>
            {choices}
          </SelectField>
          <SelectField label={t('subDepartment')} {...textOf('sousdepartement')}>
            {choices}
          </SelectField>
          <TextField label={t('jobTitle')} {...title.french} {...textOf('titre')} maxLength={200} />
          <TextField label={t('jobTitleEn')} {...title.english} {...textOf('titre_en')} maxLength={200} />
          <TextArea label={t('description')} {...description.french} {...textOf('description')} rows={6} maxLength={10_000} />
          <TextArea
            label={t('descriptionEn')}
            {...description.english}
            {...textOf('description_en')}
            rows={6}
            maxLength={10_000}
          />
          <PublishedField form={form} missing={null} />
        </div>
      </div>
    </EntryForm>
  )
}

function Preview({ values }: { values: Values }) {
  const { new_photo: newPhoto, departement, sousdepartement, ...rest } = values
  const chosen = {
    departement: departement || 'ADMINISTRATION',
    sousdepartement: sousdepartement || departement || 'ADMINISTRATION',
  } as const
  return (
    <EmployeeProfile
      employee={{ ...rest, ...chosen }}
      picture={newPhoto && <ShownPhoto photo={newPhoto} name={values.nom} className="photo-window" />}
    />
  )
}

function valuesOf({ id_employe: _id, english_older: _older, ...employee }: Employee): Values {
  return employee
}
