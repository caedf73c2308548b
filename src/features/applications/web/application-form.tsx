import { company } from '#company/company.ts'
import { formTexts } from '#src/features/requests/form-texts.ts'
import { CountedTextArea, RequestFormFrame, useRequestForm } from '#src/features/requests/web/request-form.tsx'
import type { RequestFormProps } from '#src/features/requests/web/request-form.tsx'
import { formatBytes } from '#src/lib/text/numbers.ts'
import { Link } from '#src/ui/components/link.tsx'
import { TextField } from '#src/ui/forms/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { applicationFormTexts } from '../form-texts.ts'
import { applicationFilesMax, applicationFilesMaxBytes } from '../values.ts'

/** The form of a posting, with the notice of what becomes of what it collects. */
export default function ApplicationForm({ jobId, ...props }: RequestFormProps & { jobId: number }) {
  const t = useTexts(applicationFormTexts)
  const shared = useTexts(formTexts)
  const language = useLanguage()
  const form = useRequestForm('application', {
    ...props,
    draftKey: `applications/${jobId}`,
    loadTarget: async () => (await import('./application-target.ts')).createTarget(jobId),
  })
  const { emails, people, periods } = company
  const files = form.field('files')
  return (
    <section className="mt-12 max-w-3xl" aria-labelledby="postuler">
      <h2 id="postuler" className="mb-2 text-2xl">
        {t('title')}
      </h2>
      <p className="mb-6">{t('lead', { email: emails.hr })}</p>
      <div className="card p-6 sm:p-8 print:hidden">
        <RequestFormFrame
          form={form}
          sendLabel={t('send')}
          encType="multipart/form-data"
          notice={
            <>
              {periods && (
                <span>{`${t('notice', { period: periods.applications[language], email: people.privacyOfficer.email })} `}</span>
              )}
              <Link to="/about/personal_information" className="inline-block py-0.5 text-brand underline underline-offset-2">
                {t('noticeLink')}
              </Link>
            </>
          }
        >
          <div className="grid gap-6 sm:grid-cols-2">
            <TextField label={t('firstname')} autoComplete="given-name" {...form.field('firstname')} />
            <TextField label={t('lastname')} autoComplete="family-name" {...form.field('lastname')} />
            <TextField label={shared('email')} type="email" autoComplete="email" {...form.field('email')} />
            <TextField label={shared('phone')} type="tel" autoComplete="tel" {...form.field('phone')} />
          </div>
          <TextField
            label={t('files')}
            optional
            hint={t('filesHint', { count: applicationFilesMax, size: formatBytes(applicationFilesMaxBytes, language) })}
            type="file"
            name="files"
            multiple
            accept=".pdf,.doc,.docx,.odt"
            error={files.error}
            autoFocus={files.autoFocus}
          />
          <CountedTextArea label={t('message')} hint={t('messageHint')} {...form.field('message')} required={false} />
        </RequestFormFrame>
      </div>
    </section>
  )
}
