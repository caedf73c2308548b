import { pickText } from '#src/lib/language/language.ts'
import { useLanguage } from '#src/ui/language.tsx'
import type { Note } from '../contract.ts'

/** Dated service notices in the language of the page; renders nothing where there are none. */
export function NotesList({ notes, title }: { notes: readonly Note[]; title: string }) {
  const language = useLanguage()
  if (notes.length === 0) return null
  return (
    <section className="mt-14 max-w-prose" aria-label={title}>
      <h2 className="mb-4 text-2xl">{title}</h2>
      <ol className="grid gap-5">
        {notes.map((note) => (
          <li key={note.id_note} className="border-t border-line pt-4">
            <p className="font-bold">{note.note_date}</p>
            <p className="whitespace-pre-line text-ink-2">{pickText(language, note.note, note.note_en)}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}
