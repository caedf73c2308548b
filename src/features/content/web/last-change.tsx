import { formatAgo } from '#src/lib/time/format-ago.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { entryTexts } from '../entry-texts.ts'

export type Changed = { at: string; name: string }

/** Who saved an entry last, and how long ago. */
export function LastChange({ section, change }: { section: string; change: Changed | null }) {
  const e = useTexts(entryTexts)
  const language = useLanguage()
  if (!change) return section
  const { at, name } = change
  return (
    <>
      {section} · <time dateTime={at}>{e('changedBy', { when: formatAgo(new Date(at), new Date(), language), name })}</time>
    </>
  )
}
