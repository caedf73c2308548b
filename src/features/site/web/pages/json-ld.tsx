import { useState, useSyncExternalStore } from 'react'

type JsonLdProps = {
  /** Worked out on the server only: `import.meta.env.SSR ? {…} : null` keeps it out of the pages' script. */
  data: Record<string, unknown> | null
}

/**
 * Structured data for search engines. It comes with the page from the server and stays as it is; on a page
 * reached by a click it is left out, since a script put in by a script is what Trusted Types forbid.
 */
export function JsonLd({ data }: JsonLdProps) {
  const isFromServer = useSyncExternalStore(
    subscribeToNothing,
    () => false,
    () => true,
  )
  const [isShown] = useState(isFromServer)
  if (!isShown) return null
  const json = data ? JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', String.raw`\u003c`) : ''
  return <script type="application/ld+json" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: json }} />
}

const subscribeToNothing = () => () => undefined
