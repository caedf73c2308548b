import type { JSONContent } from '@tiptap/core'
import { getSchema } from '@tiptap/core'
import { DOMParser } from '@tiptap/pm/model'
import { trustHtml } from './trusted-html.ts'
import { extensions } from './extensions.ts'

const schema = getSchema(extensions)

/**
 * Parses rich text into a document of the editor. Tiptap's own HTML parser is blocked by Trusted Types; this one uses our
 * policy and an inert document, in which nothing runs or loads.
 */
export function parseHtml(html: string): JSONContent {
  const body = bodyOf(html)
  // In the editor, an empty paragraph gets its own line break.
  for (const line of body.querySelectorAll('p > br:only-child')) if (line.parentElement?.textContent === '') line.remove()
  return DOMParser.fromSchema(schema).parse(body).toJSON() as JSONContent
}

export function bodyOf(html: string) {
  const page = document.implementation.createHTMLDocument('')
  page.body.innerHTML = trustHtml(html)
  return page.body
}

/** HTML as it is stored: empty paragraphs keep their line break, except at both ends, where they are removed. */
export function toStored(html: string) {
  return html
    .replaceAll(/<p>(?:\s|&nbsp;|<br>)*<\/p>/g, '<p><br></p>')
    .replace(/^(?:<p><br><\/p>)+/, '')
    .replace(/(?:<p><br><\/p>)+$/, '')
    .replaceAll('<br>', '<br />')
}
