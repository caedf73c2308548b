import { route } from '@react-router/dev/routes'

export const notesPages = {
  public: [route('reseau/avis', 'features/notes/web/older-notes-page.tsx')],
  admin: [
    route('notes', 'features/notes/web/admin-notes-page.tsx'),
    route('note_nouveau', 'features/notes/web/admin-note-page.tsx', { id: 'new-note' }),
    route('note_edit/:id_note', 'features/notes/web/admin-note-page.tsx'),
  ],
}
