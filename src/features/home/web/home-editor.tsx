import type { ComponentProps, ReactNode } from 'react'
import { useState } from 'react'
import { useRevalidator, useSearchParams } from 'react-router'
import { PublicationFields, StateBadge, useStateText } from '#src/features/content/web/publication-fields.tsx'
import type { EntryField } from '#src/features/content/web/conflict-dialog.tsx'
import type { EntryFormState } from '#src/features/content/web/entry-form.tsx'
import { EntryFormBody } from '#src/features/content/web/entry-form.tsx'
import { missingEnglishOf, PreviewButton, PreviewPair } from '#src/features/content/web/preview.tsx'
import type { Language } from '#src/lib/language/language.ts'
import { Button } from '#src/ui/components/button.tsx'
import { ConfirmDialog } from '#src/ui/components/dialog.tsx'
import { changeQuery } from '#src/lib/lists.ts'
import type { EntryState, Publication } from '#src/lib/schemas.ts'
import { Link } from '#src/ui/components/link.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { LoadingOverlay } from '#src/ui/components/loading.tsx'
import { hideSavedNotice, showSavedNotice, Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { entryTexts } from '#src/features/content/texts.ts'
import { adminHomeTexts } from '../admin-texts.ts'
import { useBilingual } from '#src/features/content/web/use-bilingual.tsx'
import { pickText } from '#src/lib/language/language.ts'
import { textOfHtml } from '#src/lib/text/html-text.ts'
import { callApi } from '#src/ui/api.ts'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import { RichTextField } from '#src/ui/rich-text/rich-text-field.tsx'
import { useEntryForm, useFieldProps } from '#src/ui/forms/use-entry-form.ts'
import type { HomeMessage, HomeMessageInput, HomeInformation, HomeInformationInput } from '../contract.ts'
import { reasonForDraftBanner, reasonForDraftPanel } from '../contract.ts'
import { HomeHeading, shownOfBanner, shownOfPanel } from './home-heading.tsx'
import { HomeAlarm, HomeInformationPanel } from './home-notices.tsx'
import { TextField } from '#src/ui/forms/field.tsx'

type HomeEditorProps<Values extends { id: number | null }> = {
  /** Names its headings, and its kind in the audit log. */
  name: 'message' | 'information'
  title: string
  hint: string
  form: EntryFormState<Values> & { restart: (values: Values) => void }
  shown: ComponentProps<typeof HomeHeading>['shown']
  /** Leads to the other ones. */
  others: ReactNode
  /** Null while there is nothing to delete. */
  remove: (() => Promise<unknown>) | null
  undo: () => Promise<unknown>
  saveLabel: string
  confirmTitle: string
  blank: Values
  preview: (language: Language) => ReactNode
  fields: EntryField<Values>[]
  children: ReactNode
}

/** Editor of one of the two singletons of the home page: Sauvegarder and Supprimer. */
function HomeEditor<Values extends { id: number | null }>(props: HomeEditorProps<Values>) {
  const { name, title, hint, form, shown, others, remove, undo, saveLabel, confirmTitle, blank, preview, fields, children } =
    props
  const t = useTexts(adminHomeTexts)
  const e = useTexts(entryTexts)
  const f = useTexts(failureTexts)
  const { revalidate } = useRevalidator()
  const [isAsking, setAsking] = useState(false)
  const { busy: isRemoving, run, toast } = useAction()

  const handleRemove = async () => {
    setAsking(false)
    hideSavedNotice()
    await remove?.()
    form.restart(blank)
    await revalidate()
    showSavedNotice('deleted', { action: undoButton })
  }
  const undoButton = (
    <Button variant="link" onClick={() => void handleUndo()}>
      {e('undoDeletion')}
    </Button>
  )
  // Shows all in the notice: the editor is another one by now, without the state of this one.
  const handleUndo = async () => {
    hideSavedNotice()
    try {
      await undo()
    } catch (error) {
      console.warn(error)
      return showSavedNotice('deleted', { action: undoButton, failure: f(failureOf(error)) })
    }
    await revalidate()
    showSavedNotice('restored')
  }

  return (
    <section aria-labelledby={`home-${name}`} className="card p-5 sm:p-6">
      <EntryFormBody
        form={form}
        fields={fields}
        entry={form.values.id ? { area: 'home', entry: `home_${name}/${form.values.id}` } : null}
        head={
          <div className="mb-5 flex flex-wrap items-center justify-between gap-4">
            <HomeHeading id={`home-${name}`} title={title} hint={hint} shown={shown} />
            <div className="flex flex-wrap gap-3">
              <PreviewButton missing={missingEnglishOf(form.values, fields)}>{preview}</PreviewButton>
              <Button variant="danger" disabled={!remove} busy={isRemoving} onClick={() => setAsking(true)}>
                {t('remove')}
              </Button>
            </div>
          </div>
        }
      >
        {others}
        <LoadingOverlay busy={isRemoving}>
          <div className="grid gap-6 xl:grid-cols-2">{children}</div>
        </LoadingOverlay>
        <Button type="submit" busy={form.saving} className="mt-6">
          {saveLabel}
        </Button>
      </EntryFormBody>
      <ConfirmDialog
        open={isAsking}
        title={confirmTitle}
        consequence={e('deletionCanBeUndone')}
        confirmLabel={t('remove')}
        onCancel={() => setAsking(false)}
        onConfirm={() => void run(handleRemove, {})}
      />
      <Toast {...toast} />
    </section>
  )
}

/** The one that visitors see: the server puts it before the others that are open. */
const shownOf = <T extends { state: EntryState }>(all: readonly T[]) => all.find(({ state }) => state === 'open')

/** The entry to edit: the chosen one, else the one that is shown, else a new one. */
export function chosenOf<T extends { state: EntryState }>(all: readonly T[], idOf: (one: T) => number, choice: string | null) {
  if (choice === newChoice) return null
  return all.find((one) => String(idOf(one)) === choice) ?? shownOf(all) ?? null
}

const newChoice = 'nouveau'

type Other = Publication & { id: number; name: string; name_en: string; state: EntryState }

/** Leads to the drafts, and to those that wait or ended; and to a new one beside them. */
function Others({ choice, all, current }: { choice: string; all: Other[]; current: number | undefined }) {
  const t = useTexts(adminHomeTexts)
  const language = useLanguage()
  const [query] = useSearchParams()
  const stateText = useStateText()
  const shown = shownOf(all)
  const addressOf = (chosen: string) => `?${String(changeQuery(query, { [choice]: chosen }))}`
  const others = all.filter(({ id }) => id !== current)
  if (all.length === 0) return null
  return (
    <ul className="mb-5 grid gap-2">
      {others.map((one) => (
        <li key={one.id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link className="max-w-prose truncate text-brand underline" to={addressOf(String(one.id))} preventScrollReset>
            {textOfHtml(pickText(language, one.name, one.name_en)) || t('untitled')}
          </Link>
          <StateBadge state={one.state}>{one.state === 'open' && one !== shown ? t('replaced') : stateText(one)}</StateBadge>
        </li>
      ))}
      {current !== undefined && (
        <li>
          <Link className="text-brand underline" to={addressOf(newChoice)} preventScrollReset>
            {t(choice === 'bandeau' ? 'anotherMessage' : 'anotherInformation')}
          </Link>
        </li>
      )}
    </ul>
  )
}

const shownNow = { publie: true, opens_on: null, closes_on: null }

type MessageValues = HomeMessageInput & { id: number | null }

const messagePath = '/api/home_messages/home_message'
const blankMessage: MessageValues = { id: null, title: '', title_en: '', message: '', message_en: '', ...shownNow }

/** Form of the emergency banner; saving creates or updates it. */
export function useMessageForm(current: HomeMessage | null, onSaved: (saved: HomeMessage) => unknown) {
  return useEntryForm<MessageValues, HomeMessage>({
    draftKey: `home_message/${current?.id_home_message ?? 'new'}`,
    initial: current ? messageValues(current) : blankMessage,
    readCurrent: (stored) => messageValues(stored as HomeMessage),
    save: ({ id, ...input }) => (id ? callApi('PUT', `${messagePath}/${id}`, input) : callApi('POST', messagePath, input)),
    onSaved,
  })
}

type MessageEditorProps = { form: ReturnType<typeof useMessageForm>; current: HomeMessage | null; all: HomeMessage[] }

/** First part of `/admin/notes`. */
export function MessageEditor({ form, current, all }: MessageEditorProps) {
  const t = useTexts(adminHomeTexts)
  const { values } = form
  const { textOf, richTextOf } = useFieldProps(form)
  const marksOf = useBilingual(form, !current, current?.english_older)
  const title = marksOf('title', 'title_en')
  const marks = marksOf('message', 'message_en')
  const showHtml = (html: string) => <RichText html={html} />
  return (
    <HomeEditor
      name="message"
      title={t('messageTitle')}
      hint={t('messageHint')}
      form={form}
      shown={shownOfBanner(current, current === shownOf(all))}
      others={
        <Others
          choice="bandeau"
          all={all.map((one) => ({ ...one, id: one.id_home_message, ...nameOf(one) }))}
          current={current?.id_home_message}
        />
      }
      remove={current && (() => callApi('DELETE', `${messagePath}/${current.id_home_message}`))}
      undo={() => callApi('POST', `${messagePath}/${current?.id_home_message}/undo`)}
      saveLabel={t(values.publie && !reasonForDraftBanner(values) ? 'saveMessage' : 'draftMessage')}
      confirmTitle={t('confirmMessage')}
      blank={blankMessage}
      preview={(language) => <MessagePreview message={values} language={language} />}
      fields={[
        { key: 'title', label: t('title') },
        { key: 'title_en', label: t('titleEn') },
        { key: 'message', label: t('message'), show: showHtml },
        { key: 'message_en', label: t('messageEn'), show: showHtml },
      ]}
    >
      <TextField label={t('title')} {...title.french} {...textOf('title')} maxLength={200} autoComplete="off" />
      <TextField label={t('titleEn')} {...title.english} {...textOf('title_en')} maxLength={200} autoComplete="off" />
      <RichTextField label={t('message')} {...marks.french} {...richTextOf('message')} />
      <RichTextField label={t('messageEn')} {...marks.english} {...richTextOf('message_en')} />
      <PublicationFields form={form} missing={reasonForDraftBanner(values)} />
    </HomeEditor>
  )
}

/** The banner as visitors see it. */
function MessagePreview({ message: banner, language }: { message: MessageTexts; language: Language }) {
  const { title, title_en, message, message_en } = banner
  return <HomeAlarm title={pickText(language, title, title_en)} message={pickText(language, message, message_en)} />
}

type MessageTexts = Pick<HomeMessageInput, 'title' | 'title_en' | 'message' | 'message_en'>

/** What a banner is called in a list; its title is optional. */
const nameOf = ({ title, title_en, message, message_en }: MessageTexts) =>
  title ? { name: title, name_en: title_en } : { name: message, name_en: message_en }

export function messageValues(current: HomeMessage): MessageValues {
  const { id_home_message: id, state: _state, english_older: _older, ...values } = current
  return { id, ...values }
}

type InformationValues = HomeInformationInput & { id: number | null }

const informationPath = '/api/home_informations/home_information'
const blankInformation: InformationValues = {
  id: null,
  title: '',
  title_en: '',
  description: '',
  description_en: '',
  ...shownNow,
}

/** Form of the information panel; saving creates or updates it. */
export function useInformationForm(current: HomeInformation | null, onSaved: (saved: HomeInformation) => unknown) {
  return useEntryForm<InformationValues, HomeInformation>({
    draftKey: `home_information/${current?.id_home_information ?? 'new'}`,
    initial: current ? informationValues(current) : blankInformation,
    readCurrent: (stored) => informationValues(stored as HomeInformation),
    save: ({ id, ...input }) =>
      id ? callApi('PUT', `${informationPath}/${id}`, input) : callApi('POST', informationPath, input),
    onSaved,
  })
}

type InformationEditorProps = {
  form: ReturnType<typeof useInformationForm>
  current: HomeInformation | null
  all: HomeInformation[]
}

/** Second part of `/admin/notes`. */
export function InformationEditor({ form, current, all }: InformationEditorProps) {
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
      shown={shownOfPanel(current, current === shownOf(all))}
      others={
        <Others
          choice="panneau"
          all={all.map((one) => ({ ...one, id: one.id_home_information, name: one.title, name_en: one.title_en }))}
          current={current?.id_home_information}
        />
      }
      remove={current && (() => callApi('DELETE', `${informationPath}/${current.id_home_information}`))}
      undo={() => callApi('POST', `${informationPath}/${current?.id_home_information}/undo`)}
      saveLabel={t(values.publie && !reasonForDraftPanel(values) ? 'saveInformation' : 'draftInformation')}
      confirmTitle={t('confirmInformation')}
      blank={blankInformation}
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
      <PublicationFields form={form} missing={reasonForDraftPanel(values)} />
    </HomeEditor>
  )
}

export function informationValues(current: HomeInformation): InformationValues {
  const { id_home_information: id, state: _state, english_older: _older, ...values } = current
  return { id, ...values }
}

type HomeReadOnlyProps = { message: HomeMessage | null; information: HomeInformation | null }

/** The banner and the information panel for users with read access only. */
export function HomeReadOnly({ message, information }: HomeReadOnlyProps) {
  const t = useTexts(adminHomeTexts)
  return (
    <>
      <Part name="message" title={t('messageTitle')} shown={shownOfBanner(message, true)}>
        {(language) => message && <MessagePreview message={message} language={language} />}
      </Part>
      <Part name="information" title={t('informationTitle')} shown={shownOfPanel(information, true)}>
        {(language) =>
          information && (
            <HomeInformationPanel
              information={{
                title: pickText(language, information.title, information.title_en),
                description: pickText(language, information.description, information.description_en),
              }}
            />
          )
        }
      </Part>
    </>
  )
}

type PartProps = {
  name: string
  title: string
  shown: ComponentProps<typeof HomeHeading>['shown']
  children: (language: Language) => ReactNode
}

function Part({ name, title, shown, children }: PartProps) {
  const t = useTexts(adminHomeTexts)
  return (
    <section aria-labelledby={`home-${name}`} className="grid gap-5">
      <HomeHeading id={`home-${name}`} title={title} hint={t('readOnly')} shown={shown} />
      {shown !== 'notShown' && <PreviewPair>{children}</PreviewPair>}
    </section>
  )
}
