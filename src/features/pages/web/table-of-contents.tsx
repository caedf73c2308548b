import { useTexts } from '#src/ui/language.tsx'
import { navigationTexts } from '#src/ui/page/navigation-texts.ts'

type TableOfContentsProps = { sections: { id: string; title: string }[]; className?: string; lang?: string }

export function TableOfContents({ sections, className = '', lang }: TableOfContentsProps) {
  const t = useTexts(navigationTexts)
  return (
    <nav aria-label={t('onThisPage')} className={`text-sm print:hidden ${className}`}>
      <p className="mb-2 font-bold">{t('onThisPage')}</p>
      <ul lang={lang} className="grid border-s-2 border-line">
        {sections.map((section) => (
          <li key={section.id}>
            <a
              href={`#${section.id}`}
              className="-ms-0.5 block border-s-2 border-transparent py-1.5 ps-4 text-ink-2 wrap-anywhere hover:border-brand hover:text-brand"
            >
              {section.title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
