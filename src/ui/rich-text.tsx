import { useMemo } from 'react'
import { trustHtml } from './trusted-html.ts'

/** Shows HTML that the server cleaned. Never give it anything else. */
export function RichText({ html, className = 'prose', lang }: { html: string; className?: string; lang?: string }) {
  const content = useMemo(() => ({ __html: trustHtml(html) }), [html])
  return <div className={className} lang={lang} dangerouslySetInnerHTML={content} />
}
