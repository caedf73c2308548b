import './pages.css'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { locales } from '#src/lib/language/language.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import type { PageText } from '../contract.ts'
import { navigationTexts } from '#src/ui/page/page-head.tsx'

/** The body of a long text, with `lang` when it differs from the page's language. */
export function TextBody({ text }: { text: PageText }) {
  const language = useLanguage()
  const container = useInnerLinks<HTMLDivElement>()
  const lang = text.language === language ? undefined : locales[text.language]
  return (
    <div ref={container}>
      <RichText html={text.html} className="prose long-text" lang={lang} />
    </div>
  )
}

/** Makes plain clicks on links in a long text client navigations. */
function useInnerLinks<Container extends HTMLElement>() {
  const container = useRef<Container>(null)
  const navigate = useNavigate()

  useEffect(() => {
    const element = container.current
    const follow = (event: MouseEvent) => {
      const link = (event.target as Element).closest('a')
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
      if (!link || !isPlain || event.defaultPrevented || link.origin !== location.origin || link.pathname === location.pathname)
        return
      event.preventDefault()
      void navigate(link.pathname + link.search + link.hash)
    }
    element?.addEventListener('click', follow)
    return () => element?.removeEventListener('click', follow)
  }, [navigate])

  return container
}

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
