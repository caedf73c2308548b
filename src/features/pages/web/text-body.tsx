import { locales } from '#src/lib/language/language.ts'
import { useLanguage } from '#src/ui/language.tsx'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import type { PageText } from '../contract.ts'
import { useInnerLinks } from './use-inner-links.ts'
import './pages.css'

/** The body of a long text, which says its language where it is not the page's. */
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
