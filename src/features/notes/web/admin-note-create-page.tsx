import { NoteForm } from './admin-note-page.tsx'

export default function AdminNoteCreatePage() {
  return <NoteForm />
}
