import { useEffect, useRef, useState } from 'react'
import { trustHtml } from '../rich-text/trusted-html.ts'
import { useHydrated } from '../use-hydrated.ts'

type Data = Record<string, unknown>

type JsonLdProps = {
  /** For the page that comes from the server: what makes it is imported there alone, to stay out of the pages' script. */
  data: Data | null
  /** The same for a page reached by a click. */
  load: () => Promise<Data>
}

/**
 * Structured data for search engines. From the server it comes with the page and stays as it is; on a page reached by
 * a click it follows as HTML, in which the browser runs no script: one put in by a script Trusted Types would refuse.
 */
export function JsonLd({ data, load }: JsonLdProps) {
  const [isWhole] = useState(!useHydrated())
  const [loaded, setLoaded] = useState<Data | null>(null)
  const latest = useRef(load)

  useEffect(() => {
    let isGone = false
    if (isWhole) return
    latest
      .current()
      .then((described) => {
        if (!isGone) setLoaded(described)
      })
      .catch(console.error)
    return () => {
      isGone = true
    }
  }, [isWhole])

  if (isWhole) {
    const json = data ? write(data) : ''
    return <script type="application/ld+json" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: json }} />
  }
  if (!loaded) return null
  const html = trustHtml(`<script type="application/ld+json">${write(loaded)}</script>`)
  return <span hidden dangerouslySetInnerHTML={{ __html: html }} />
}

/** Without `<`, the text cannot end its own element. */
function write(data: Data) {
  return JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', String.raw`\u003c`)
}
