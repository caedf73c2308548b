import type { ReactNode } from 'react'
import type { Language } from '#src/lib/language/language.ts'
import { pickVariant } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { pathIcon } from '#src/ui/components/icon.tsx'
import { CloudIcon, EditIcon, MailIcon, PersonIcon, PhoneIcon, ServerIcon, ShieldIcon } from '#src/ui/components/icons.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { useLanguage } from '#src/ui/language.tsx'
import { feedTag } from '#src/ui/page/feed-tag.ts'
import type { ArticleTitle } from '../contract.ts'
import { texts } from '../texts.ts'
import type { KnownCategory } from '../values.ts'
import { isKnownCategory, knownCategories, pathOfArticle } from '../values.ts'

const PrinterIcon = pathIcon('M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z')
const BoxIcon = pathIcon('M4 8l8-4 8 4v9l-8 4-8-4zm0 0 8 4 8-4m-8 4v9')
export const BookIcon = pathIcon('M12 6c-2-1.6-5-2-8-1.5v13c3-.5 6 0 8 1.5 2-1.5 5-2 8-1.5v-13c-3-.5-6-.1-8 1.5zm0 0v13')

const icons: Record<KnownCategory, ReactNode> = {
  telephonie: <PhoneIcon />,
  courriel: <MailIcon />,
  securite: <ShieldIcon />,
  fichiers: <CloudIcon />,
  reseau: <ServerIcon />,
  impression: <PrinterIcon />,
  postes: <PersonIcon />,
  demenagement: <BoxIcon />,
  facturation: <EditIcon />,
}

export const iconOf = (category: string) => (isKnownCategory(category) ? icons[category] : <BookIcon />)

/** The name of a subject; one that is not known is shown as it was typed. */
export function subjectOf(category: string, language: Language) {
  const t = translator(texts, language)
  return isKnownCategory(category) ? t(category) : category || t('other')
}

/** Entries by subject: the known ones in their order, then the others. */
export function groupBySubject<Entry extends { categorie: string }>(entries: readonly Entry[]) {
  const groups = new Map<string, Entry[]>()
  for (const entry of entries) groups.set(entry.categorie, [...(groups.get(entry.categorie) ?? []), entry])
  const order: string[] = [...knownCategories, ...[...groups.keys()].filter((one) => !isKnownCategory(one)).toSorted()]
  return order.flatMap((category) => {
    const found = groups.get(category)
    return found ? [{ category, entries: found }] : []
  })
}

/** Names the feed of the articles, for feed readers. */
export const articleFeedTag = (language: Language) => feedTag('/aide', language, translator(texts, language)('feed'))

export function ArticleLink({ article }: { article: Title }) {
  const language = useLanguage()
  const name = nameOf(article, language)
  return (
    <Link
      to={pathOfArticle(language, article)}
      lang={name.lang}
      className="inline-block py-0.5 text-brand underline-offset-4 hover:underline"
    >
      {name.text}
    </Link>
  )
}

export const nameOf = ({ titre, titre_en }: Title, language: Language) => pickVariant(language, titre, titre_en)
export type Title = ReturnType<typeof titleOf>

/** What the pages show of a title. */
export function titleOf({ id_article, slug, slug_en, titre, titre_en, categorie, minutes, minutes_en }: ArticleTitle) {
  return { id_article, slug, slug_en, titre, titre_en, categorie, minutes, minutes_en }
}
