import type { Changed } from '#src/features/content/web/entry-form.tsx'
import { getJson } from '#src/ui/api.ts'
import type { Note } from '../contract.ts'
import type { Route } from './+types/admin-note-edit-page.ts'
import { NoteForm } from './admin-note-page.tsx'

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const address = `/api/notes/notes/${encodeURIComponent(params.id_note)}`
  const [note, lastChange] = await Promise.all([getJson<Note>(address), getJson<Changed | null>(`${address}/last_change`)])
  return { note, lastChange }
}

export default function AdminNoteEditPage({ loaderData: { note, lastChange } }: Route.ComponentProps) {
  return <NoteForm key={note.id_note} note={note} lastChange={lastChange} />
}
