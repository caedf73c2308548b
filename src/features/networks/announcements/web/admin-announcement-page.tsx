import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { EntryForm } from '#src/features/content/web/entry-form.tsx'
import { useBilingual } from '#src/features/content/web/use-bilingual.tsx'
import { callApi, getJson } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { hideSavedNotice } from '#src/ui/components/toast.tsx'
import { TextField } from '#src/ui/forms/field.tsx'
import { useEntryForm, useFieldProps } from '#src/ui/forms/use-entry-form.ts'
import { useSaving } from '#src/ui/forms/use-saving.ts'
import { useTexts } from '#src/ui/language.tsx'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import { RichTextField } from '#src/ui/rich-text/rich-text-field.tsx'
import type { Audience } from '../../subscription.ts'
import type { Announcement } from '../contract.ts'
import { announcementTexts } from '../texts.ts'
import { alreadySent } from '../values.ts'
import type { Route } from './+types/admin-announcement-page.ts'
import { AnnouncementMail } from './announcement-mail.tsx'

const path = '/api/announcements'
const home = '/admin/annonces'
type Texts = Pick<Announcement, 'subject' | 'subject_en' | 'text' | 'text_en'> & { version?: number }
const blank: Texts = { subject: '', subject_en: '', text: '', text_en: '' }

export const clientLoader = () => getJson<Audience>(`${path}/audience`)

/** A new announcement in both languages, with its mail as it will be read, and a test to oneself. */
export default function AdminAnnouncementPage({ loaderData: { fr, en } }: Route.ComponentProps) {
  useRight(['company'], 'read_write')
  const t = useTexts(announcementTexts)
  const navigate = useNavigate()
  const form = useEntryForm<Texts, Announcement>({
    draftKey: 'announcements/new',
    initial: blank,
    save: (values) => callApi<Announcement>('POST', path, values),
    onSaved: () => {
      // The bar on the list says it, with the way back.
      hideSavedNotice()
      return navigate(home)
    },
    required: ['subject', 'subject_en', 'text', 'text_en'],
  })
  const { values } = form
  const { textOf, richTextOf } = useFieldProps(form, { [alreadySent]: t('alreadySent') })
  const marksOf = useBilingual<Texts & { english_reviewed?: string[] }>(form, true)
  const subject = marksOf('subject', 'subject_en')
  const text = marksOf('text', 'text_en')
  const showHtml = (html: string) => <RichText html={html} />
  const count = fr + en
  return (
    <EntryForm
      title={t('createTitle')}
      subtitle={t('title')}
      home={home}
      form={form}
      entry={null}
      saveLabel={count > 0 ? t('sendTo', { count }) : t('send')}
      preview={(language) => <AnnouncementMail texts={values} language={language} />}
      fields={[
        { key: 'subject', label: t('subject') },
        { key: 'subject_en', label: t('subjectEn') },
        { key: 'text', label: t('text'), show: showHtml },
        { key: 'text_en', label: t('textEn'), show: showHtml },
      ]}
    >
      <div className="mb-6 grid gap-1">
        <p className="font-bold">{count > 0 ? t('readers', { count, fr, en }) : t('noReaders')}</p>
        <p className="text-ink-2">{t('sendHint')}</p>
      </div>
      <div className="grid gap-6 xl:grid-cols-2">
        <TextField label={t('subject')} {...subject.french} {...textOf('subject')} maxLength={200} autoComplete="off" />
        <TextField label={t('subjectEn')} {...subject.english} {...textOf('subject_en')} maxLength={200} autoComplete="off" />
        <RichTextField label={t('text')} {...text.french} {...richTextOf('text')} />
        <RichTextField label={t('textEn')} {...text.english} {...richTextOf('text_en')} />
      </div>
      <TestButton values={values} />
    </EntryForm>
  )
}

/** Sends the mail of both languages to its author alone. */
function TestButton({ values }: { values: Texts }) {
  const t = useTexts(announcementTexts)
  const { busy, failure, save } = useSaving()
  const [sentTo, setSentTo] = useState('')
  const test = async () => {
    setSentTo('')
    const { to } = await callApi<{ to: string }>('POST', path, { ...values, test: true })
    setSentTo(to)
  }
  const handleClick = () => void save(test, ({ problem }) => (problem.reason === 'no address' ? t('noAddress') : undefined))
  return (
    <div className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button variant="secondary" busy={busy} onClick={handleClick}>
        {t('test')}
      </Button>
      <span role="status" className="font-bold">
        {sentTo && t('tested', { to: sentTo })}
      </span>
      <span role="alert" className="font-bold text-err">
        {failure && `${t('testFailed')}. ${failure}`}
      </span>
    </div>
  )
}
