import { EntryForm, LastChange, loadEntry } from '#src/features/content/web/entry-form.tsx'
import type { Changed } from '#src/features/content/web/conflict-dialog.tsx'
import { PublishedField } from '#src/features/content/web/publication-fields.tsx'
import { useBilingual } from '#src/features/content/web/use-bilingual.tsx'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { formatDay } from '#src/lib/time/dates.ts'
import { pickText } from '#src/lib/language/language.ts'
import { callApi } from '#src/ui/api.ts'
import { SelectField, TextField } from '#src/ui/forms/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import { RichTextField } from '#src/ui/rich-text/rich-text-field.tsx'
import { useBack } from '#src/ui/page/use-back.ts'
import { useEntryForm, useFieldProps } from '#src/ui/forms/use-entry-form.ts'
import { adminJobTexts } from '../admin-texts.ts'
import type { Job, JobInput } from '../contract.ts'
import { reasonForDraft } from '../contract.ts'
import { texts } from '../texts.ts'
import type { EmploymentType } from '../values.ts'
import { employmentTypes } from '../values.ts'
import type { Route } from './+types/admin-job-page.ts'
import { employmentTextKeys, withPostedOn } from './job-dates.tsx'
import { JobPosting } from './job-posting.tsx'

const path = '/api/jobs/emplois'
const blank: JobInput = {
  titre: '',
  titre_en: '',
  description: '',
  description_en: '',
  publie: true,
  opens_on: null,
  closes_on: null,
  employment_type: null,
}

/** The entry named by the address; none for a new one. */
export const clientLoader = ({ params }: Route.ClientLoaderArgs) => loadEntry<Job>(path, params.id_emploi)

export default function AdminJobPage({ loaderData: { entry: job, lastChange } }: Route.ComponentProps) {
  return <JobForm key={job?.id_emploi} job={job} lastChange={lastChange} />
}

type JobFormProps = { job?: Job; lastChange?: Changed | null }

/** Used to create and to edit; nothing is required; saving goes one history step back. */
function JobForm({ job, lastChange = null }: JobFormProps) {
  useRight(['jobs'], 'read_write')
  const t = useTexts(adminJobTexts)
  const p = useTexts(texts)
  const language = useLanguage()
  const goBack = useBack('/admin/emplois')
  const form = useEntryForm<JobInput, Job>({
    draftKey: `jobs/${job?.id_emploi ?? 'new'}`,
    initial: job ? valuesOf(job) : blank,
    readCurrent: (current) => valuesOf(current as Job),
    save: (values) => (job ? callApi('PUT', `${path}/${job.id_emploi}`, values) : callApi('POST', path, values)),
    onSaved: goBack,
    savedAs: (saved) => ({
      name: pickText(language, saved.titre, saved.titre_en) || t('untitled'),
      path: `/admin/emploi_edit/${saved.id_emploi}`,
    }),
  })
  const { values } = form
  const { textOf, dayOf, richTextOf, errorOf } = useFieldProps(form)
  const marksOf = useBilingual(form, !job, job?.english_older)
  const title = marksOf('titre', 'titre_en')
  const description = marksOf('description', 'description_en')
  const showHtml = (html: string) => <RichText html={html} />
  const showDay = (day: string) => formatDay(day, language)
  const showType = (type: EmploymentType) => p(employmentTextKeys[type])

  return (
    <EntryForm
      title={job ? pickText(language, job.titre, job.titre_en) || t('untitled') : t('createTitle')}
      subtitle={<LastChange section={t('title')} change={lastChange} />}
      home="/admin/emplois"
      page={job && `/emploi/voir/${job.id_emploi}`}
      form={form}
      preview={() => <JobPosting job={withPostedOn({ ...values, created_at: job?.created_at ?? new Date().toISOString() })} />}
      fields={[
        { key: 'titre', label: t('jobTitle') },
        { key: 'titre_en', label: t('jobTitleEn') },
        { key: 'description', label: t('description'), show: showHtml },
        { key: 'description_en', label: t('descriptionEn'), show: showHtml },
        { key: 'opens_on', label: t('opensOn'), show: showDay },
        { key: 'closes_on', label: t('closesOn'), show: showDay },
        { key: 'employment_type', label: t('employmentType'), show: showType },
      ]}
    >
      <h2 className="sr-only">{p('position')}</h2>
      <div className="grid gap-6 xl:grid-cols-2">
        <TextField label={t('jobTitle')} {...title.french} {...textOf('titre')} maxLength={200} autoComplete="off" />
        <TextField label={t('jobTitleEn')} {...title.english} {...textOf('titre_en')} maxLength={200} autoComplete="off" />
        <RichTextField label={t('description')} {...description.french} {...richTextOf('description')} />
        <RichTextField label={t('descriptionEn')} {...description.english} {...richTextOf('description_en')} />
        <PublishedField form={form} missing={reasonForDraft(values)} />
        <div className="grid gap-6 sm:grid-cols-2">
          <TextField label={t('opensOn')} hint={t('opensOnHint')} {...dayOf('opens_on')} />
          <TextField label={t('closesOn')} hint={t('closesOnHint')} {...dayOf('closes_on')} />
        </div>
        <SelectField
          label={t('employmentType')}
          hint={t('employmentTypeHint')}
          name="employment_type"
          value={values.employment_type ?? ''}
          error={errorOf('employment_type')}
          onChange={(event) =>
            form.change({ employment_type: employmentTypes.find((type) => type === event.target.value) ?? null })
          }
        >
          <option value="">{t('unspecified')}</option>
          {employmentTypes.map((type) => (
            <option key={type} value={type}>
              {p(employmentTextKeys[type])}
            </option>
          ))}
        </SelectField>
      </div>
    </EntryForm>
  )
}

function valuesOf(job: Job): JobInput {
  const { id_emploi: _id, state: _state, created_at: _created, english_older: _older, ...values } = job
  return values
}
