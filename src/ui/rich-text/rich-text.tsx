import { useMemo } from 'react'
import { addressInLanguage } from '#src/lib/language/language.ts'
import { useCarriedLanguage } from '../components/link.tsx'
import { trustHtml } from './trusted-html.ts'

/** Links to other pages of the site, in sanitized HTML, where no text can look like a tag. */
const ownLink = /(<a [^>]*?href=")(\/(?!\/)[^"&]*)(?=")/g

/** `html` is undefined where the document already has it: hydration leaves it in place. */
type RichTextProps = { html: string | undefined; className?: string; lang?: string }

/** Shows HTML that the server sanitized. Never pass other HTML. */
export function RichText({ html = '', className = 'prose', lang }: RichTextProps) {
  const isInPlace = html === ''
  const carried = useCarriedLanguage()
  const content = useMemo(() => {
    const linked = carried ? html.replace(ownLink, (_, tag: string, to: string) => tag + addressInLanguage(to, carried)) : html
    return { __html: trustHtml(linked) }
  }, [html, carried])
  return <div className={className} lang={lang} dangerouslySetInnerHTML={content} suppressHydrationWarning={isInPlace} />
}
