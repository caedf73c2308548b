import { NoteForm } from './note-form.tsx'

export default function AdminNoteCreatePage() {
  return <NoteForm />
}
