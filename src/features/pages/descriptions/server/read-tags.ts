import { textOfHtml } from '#src/lib/text/html-text.ts'
import type { ShownTags } from '../contract.ts'

/** What a page of this product says in its head; its HTML is written by React, so each tag has one form. */
export function readTags(html: string): ShownTags {
  const head = html.slice(0, html.indexOf('</head>'))
  const find = (pattern: RegExp) => textOfHtml((pattern.exec(head)?.[1] ?? '').replaceAll('&#x27;', '&#39;'))
  const picture = find(/<meta property="og:image" content="([^"]*)"/)
  return {
    title: find(/<title>([^<]*)<\/title>/),
    description: find(/<meta name="description" content="([^"]*)"/),
    picture: URL.canParse(picture) ? new URL(picture).pathname : '',
  }
}
