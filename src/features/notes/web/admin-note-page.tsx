import { EntryForm, LastChange, loadEntry } from '#src/features/content/web/entry-form.tsx'
import type { Changed } from '#src/features/content/web/conflict-dialog.tsx'
import { PublicationFields } from '#src/features/content/web/publication-fields.tsx'
import { useBilingual } from '#src/features/content/web/use-bilingual.tsx'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { callApi } from '#src/ui/api.ts'
import { TextArea, TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { useBack } from '#src/ui/page/use-back.ts'
import { useEntryForm, useFieldProps } from '#src/ui/forms/use-entry-form.ts'
import type { Note, NoteInput } from '../contract.ts'
import { isComplete } from '../contract.ts'
import { adminNoteTexts } from '../texts.ts'
import type { Route } from './+types/admin-note-page.ts'
import { NotesList } from './notes-list.tsx'

const path = '/api/notes/notes'
const blank: NoteInput = { note_date: '', note: '', note_en: '', publie: true, opens_on: null, closes_on: null }

/** The entry named by the address; none for a new one. */
export const clientLoader = ({ params }: Route.ClientLoaderArgs) => loadEntry<Note>(path, params.id_note)

export default function AdminNotePage({ loaderData: { entry: note, lastChange } }: Route.ComponentProps) {
  return <NoteForm key={note?.id_note} note={note} lastChange={lastChange} />
}

type NoteFormProps = { note?: Note; lastChange?: Changed | null }

/** Date, Note, Note (Anglais); nothing is required; saving goes one history step back. */
function NoteForm({ note, lastChange = null }: NoteFormProps) {
  useRight(['notes'], 'read_write')
  const t = useTexts(adminNoteTexts)
  const goBack = useBack('/admin/notes')
  const form = useEntryForm<NoteInput, Note>({
    draftKey: `notes/${note?.id_note ?? 'new'}`,
    initial: note ? valuesOf(note) : blank,
    readCurrent: (current) => valuesOf(current as Note),
    // The specified address for a new note ends with a slash.
    save: (values) => (note ? callApi('PUT', `${path}/${note.id_note}`, values) : callApi('POST', `${path}/`, values)),
    onSaved: goBack,
    savedAs: (saved) => ({ name: saved.note_date || t('unnamed'), path: `/admin/note_edit/${saved.id_note}` }),
  })
  const { values } = form
  const { textOf } = useFieldProps(form)
  const marks = useBilingual(form, !note, note?.english_older)('note', 'note_en')
  const preview = {
    ...values,
    id_note: note?.id_note ?? 0,
    state: 'open' as const,
    created_at: '',
    english_older: {},
    version: 0,
  }

  return (
    <EntryForm
      title={note ? t('editTitle') : t('createTitle')}
      subtitle={<LastChange section={t('title')} change={lastChange} />}
      home="/admin/notes"
      saveLabel={t('save')}
      form={form}
      preview={() => <NotesList notes={[preview]} title={t('noticesTitle')} />}
      fields={[
        { key: 'note_date', label: t('date') },
        { key: 'note', label: t('note') },
        { key: 'note_en', label: t('noteEn') },
      ]}
    >
      <div className="grid gap-6 md:grid-cols-2">
        <TextField
          className="md:col-span-2 md:max-w-md"
          label={t('date')}
          hint={t('dateHint')}
          {...textOf('note_date')}
          maxLength={200}
          autoComplete="off"
        />
        <TextArea label={t('note')} {...marks.french} {...textOf('note')} rows={6} maxLength={10_000} />
        <TextArea label={t('noteEn')} {...marks.english} {...textOf('note_en')} rows={6} maxLength={10_000} />
        <div className="md:col-span-2">
          <PublicationFields form={form} missing={isComplete(values) ? null : 'text'} />
        </div>
      </div>
    </EntryForm>
  )
}

function valuesOf(note: Note): NoteInput {
  const { id_note: _id, state: _state, created_at: _created, english_older: _older, ...values } = note
  return values
}
