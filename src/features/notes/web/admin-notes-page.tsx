import type { ShouldRevalidateFunctionArgs } from 'react-router'
import { useRevalidator, useSearchParams } from 'react-router'
import { hasRight } from '#src/lib/rights.ts'
import type { HomeInformation, HomeMessage } from '#src/features/home/contract.ts'
import {
  HomeReadOnly,
  InformationEditor,
  informationValues,
  messageValues,
  useInformationForm,
  MessageEditor,
  chosenOf,
  useMessageForm,
} from '#src/features/home/web/home-editor.tsx'
import { adminHomeTexts } from '#src/features/home/admin-texts.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { cacheRecentRows, EntryTable, OlderEntries, olderOf } from '#src/features/content/web/entry-list.tsx'
import { StateBadge, stateSortKey, useStateText } from '#src/features/content/web/publication-fields.tsx'
import { LeaveGuard } from '#src/features/content/web/leave-guard.tsx'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { buttonTexts } from '#src/features/content/texts.ts'
import { pickVariant } from '#src/lib/language/language.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { getPage } from '#src/ui/get-page.ts'
import { ButtonLink } from '#src/ui/components/button.tsx'
import { showSavedNotice } from '#src/ui/components/toast.tsx'
import { useBack } from '#src/ui/page/use-back.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { Note } from '../contract.ts'
import { adminNoteTexts } from '../texts.ts'
import { notesPageSize } from '../values.ts'
import type { Route } from './+types/admin-notes-page.ts'

/** Saving a chosen banner or panel goes back to this page with another choice: what was saved is read again. */
export function shouldRevalidate(change: ShouldRevalidateFunctionArgs) {
  const [current, next] = [change.currentUrl.searchParams, change.nextUrl.searchParams]
  return ['bandeau', 'panneau'].every((choice) => current.get(choice) === next.get(choice)) ? cacheRecentRows(change) : true
}

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const older = olderOf(new URL(request.url).searchParams)
  const [messages, informations, { rows, total }] = await Promise.all([
    getJson<HomeMessage[]>('/api/home_messages/home_message?drafts=1'),
    getJson<HomeInformation[]>('/api/home_informations/home_information?drafts=1'),
    getPage(`/api/notes/notes?drafts=1${older ? `&page=${older}` : ''}`),
  ])
  return { messages, informations, notes: rows as Note[], older, total }
}

/** `/admin/notes`, in three parts (R-89): emergency banner, information panel, service notices. */
export default function AdminNotesPage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(adminNoteTexts)
  useRight(['notes', 'home'], 'read_only')
  const { rights } = useProfile()
  const { messages, informations } = loaderData
  const [query] = useSearchParams()
  const message = chosenOf(messages, (one) => one.id_home_message, query.get('bandeau'))
  const information = chosenOf(informations, (one) => one.id_home_information, query.get('panneau'))
  const canWriteHome = hasRight(rights, 'home', 'read_write')
  const isShown = ({ state }: HomeMessage | HomeInformation) => state === 'open'
  return (
    <>
      <AdminHead title={t('title')} />
      <div className="grid gap-12">
        {canWriteHome && (
          <HomeEditors
            key={`${message?.id_home_message} ${information?.id_home_information}`}
            {...{ message, messages, information, informations }}
          />
        )}
        {!canWriteHome && hasRight(rights, 'home', 'read_only') && (
          <HomeReadOnly message={messages.find(isShown) ?? null} information={informations.find(isShown) ?? null} />
        )}
        {hasRight(rights, 'notes', 'read_only') && <Notes {...loaderData} canWrite={hasRight(rights, 'notes', 'read_write')} />}
      </div>
    </>
  )
}

type HomeEditorsProps = {
  message: HomeMessage | null
  messages: HomeMessage[]
  information: HomeInformation | null
  informations: HomeInformation[]
}

/** Each part is saved by itself; while the other one is unsaved, the page stays and names it. */
function HomeEditors({ message, messages, information, informations }: HomeEditorsProps) {
  const t = useTexts(adminHomeTexts)
  const goBack = useBack('/admin/panel')
  const { revalidate } = useRevalidator()
  const finish = (unsaved: 'unsavedMessage' | 'unsavedInformation' | false, readAgain: () => void) => {
    if (!unsaved) return goBack()
    showSavedNotice('saved', { text: t(unsaved) })
    readAgain()
    // The first save gives the form another key: what is typed before the entry is read again would be lost.
    return revalidate()
  }
  const messageForm = useMessageForm(message, (saved) =>
    finish(informationForm.isDirty && 'unsavedInformation', () => messageForm.restart(messageValues(saved))),
  )
  const informationForm = useInformationForm(information, (saved) =>
    finish(messageForm.isDirty && 'unsavedMessage', () => informationForm.restart(informationValues(saved))),
  )
  const forms = [messageForm, informationForm]
  return (
    <>
      <MessageEditor form={messageForm} current={message} all={messages} />
      <InformationEditor form={informationForm} current={information} all={informations} />
      <LeaveGuard when={forms.some((form) => form.isDirty && !form.saving && form.failure !== 'signedOut')} />
    </>
  )
}

type NotesProps = { notes: Note[]; older: number; total: number; canWrite: boolean }

function Notes({ notes, older, total, canWrite }: NotesProps) {
  const t = useTexts(adminNoteTexts)
  const a = useTexts(buttonTexts)
  const language = useLanguage()
  const stateOf = useStateText()
  const textOf = (note: Note) => pickVariant(language, note.note, note.note_en)
  return (
    <section aria-labelledby="notes-list">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-4">
        <h2 id="notes-list" className="text-2xl">
          {t('listTitle')}
        </h2>
        {canWrite && <ButtonLink to="/admin/note_nouveau">{a('add')}</ButtonLink>}
      </div>
      <EntryTable
        area="notes"
        title={t('listTitle')}
        editPath={(note) => `/admin/note_edit/${note.id_note}`}
        editLabel={t('edit')}
        rows={notes}
        rowKey={(note) => note.id_note}
        rowName={(note) => note.note_date || t('unnamed')}
        remove={(note) => callApi('DELETE', `/api/notes/notes/${note.id_note}`)}
        undo={(note) => callApi('POST', `/api/notes/notes/${note.id_note}/undo`)}
        columns={[
          {
            header: t('date'),
            cell: (note) => note.note_date || t('unnamed'),
            text: (note) => note.note_date,
            // The date is free text, so notes sort by creation time.
            sortBy: (note) => note.created_at,
            sortKey: 'date',
            isRowHeader: true,
            className: 'sm:w-56',
          },
          {
            header: t('note'),
            isText: true,
            cell: (note) => (
              <span className="line-clamp-3 max-w-prose whitespace-pre-line" lang={textOf(note).lang}>
                {textOf(note).text}
              </span>
            ),
            text: (note) => textOf(note).text,
            sortKey: 'note',
          },
          {
            header: t('state'),
            cell: (note) => <StateBadge state={note.state}>{stateOf(note)}</StateBadge>,
            text: stateOf,
            sortBy: stateSortKey,
            sortKey: 'affichage',
          },
        ]}
        emptyTitle={t('empty')}
        emptyHint={t('emptyHint')}
      />
      <OlderEntries older={older} pages={Math.ceil(total / notesPageSize)} olderLabel={t('older')} recentLabel={t('recent')} />
    </section>
  )
}
