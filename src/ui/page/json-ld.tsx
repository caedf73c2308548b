import { useEffect, useRef, useState } from 'react'
import { trustHtml } from '../rich-text/trusted-html.ts'
import { useHydrated } from '../first-load.ts'

type Data = Record<string, unknown>

type JsonLdProps = {
  /** Rendered by the server only, so that the code that makes it stays out of the bundles. */
  data: Data | null
  /** Loads it after a client-side navigation. */
  load: () => Promise<Data>
}

/**
 * Structured data for search engines. The server renders a script element. After a client-side navigation it is inserted as
 * HTML, where browsers run no script: Trusted Types block script elements.
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

/** Escape `<`, so that the text cannot close its element. */
function write(data: Data) {
  return JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', String.raw`\u003c`)
}
