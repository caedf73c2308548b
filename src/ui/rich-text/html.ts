import type { JSONContent } from '@tiptap/core'
import { getSchema } from '@tiptap/core'
import { DOMParser } from '@tiptap/pm/model'
import { trustHtml } from './trusted-html.ts'
import { extensions } from './extensions.ts'

const schema = getSchema(extensions)

/**
 * Rich text as a document of the editor. Tiptap reads HTML by itself, but by a way that Trusted Types close;
 * this one goes through our own policy, in a page apart where nothing runs and nothing loads.
 */
export function parseHtml(html: string): JSONContent {
  const body = bodyOf(html)
  // The break that holds an empty line open is the editor's own here.
  for (const line of body.querySelectorAll('p > br:only-child')) if (line.parentElement?.textContent === '') line.remove()
  return DOMParser.fromSchema(schema).parse(body).toJSON() as JSONContent
}

export function bodyOf(html: string) {
  const page = document.implementation.createHTMLDocument('')
  page.body.innerHTML = trustHtml(html)
  return page.body
}

/** As it is kept: empty paragraphs hold their line on the page as they do here, save at both ends, where they say nothing. */
export function toStored(html: string) {
  return html
    .replaceAll(/<p>(?:\s|&nbsp;|<br>)*<\/p>/g, '<p><br></p>')
    .replace(/^(?:<p><br><\/p>)+/, '')
    .replace(/(?:<p><br><\/p>)+$/, '')
    .replaceAll('<br>', '<br />')
}
