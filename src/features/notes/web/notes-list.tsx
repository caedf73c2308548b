import type { ReactNode } from 'react'
import { pickText } from '#src/lib/language/language.ts'
import { Link } from '#src/ui/components/link.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { defineTexts } from '#src/lib/language/texts.ts'
import type { Note } from '../contract.ts'
import { olderNotesPath } from '../values.ts'

/** Of the public pages only. */
export const olderNotesTexts = defineTexts({
  fr: {
    link: 'Avis de plus de trois mois',
    title: 'Avis de service antérieurs',
    description: 'Les avis de service de plus de trois mois sur l’état de nos réseaux.',
    network: 'État du réseau',
    empty: 'Aucun avis de plus de trois mois',
  },
  en: {
    link: 'Notices older than three months',
    title: 'Earlier service notices',
    description: 'Service notices about our networks, older than three months.',
    network: 'Network status',
    empty: 'No notices older than three months',
  },
})

/** Dated service notices in the language of the page; renders nothing where there are none. */
export function NotesList({ notes, title, more }: { notes: readonly Note[]; title: string; more?: ReactNode }) {
  const language = useLanguage()
  if (notes.length === 0 && !more) return null
  return (
    <section className="mt-14 max-w-prose" aria-label={title}>
      <h2 className="mb-4 text-2xl">{title}</h2>
      {notes.length > 0 && (
        <ol className="grid gap-5">
          {notes.map((note) => (
            <li key={note.id_note} className="border-t border-line pt-4">
              <p className="font-bold">{note.note_date}</p>
              <p className="whitespace-pre-line text-ink-2">{pickText(language, note.note, note.note_en)}</p>
            </li>
          ))}
        </ol>
      )}
      {more && <div className="mt-4">{more}</div>}
    </section>
  )
}

export function OlderNotesLink() {
  const t = useTexts(olderNotesTexts)
  return (
    <p>
      <Link className="text-brand underline" to={olderNotesPath}>
        {t('link')}
      </Link>
    </p>
  )
}
