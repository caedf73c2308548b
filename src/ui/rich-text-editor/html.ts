import type { JSONContent } from '@tiptap/core'
import { getSchema } from '@tiptap/core'
import { DOMParser } from '@tiptap/pm/model'
import { trustHtml } from '../trusted-html.ts'
import { extensions } from './extensions.ts'

const schema = getSchema(extensions)

/**
 * Rich text as a document of the editor. Tiptap reads HTML by itself, but by a way that Trusted Types close;
 * this one goes through our own policy, in a page apart where nothing runs and nothing loads.
 */
export function parseHtml(html: string): JSONContent {
  return DOMParser.fromSchema(schema).parse(bodyOf(html)).toJSON() as JSONContent
}

export function bodyOf(html: string) {
  const page = document.implementation.createHTMLDocument('')
  page.body.innerHTML = trustHtml(html)
  return page.body
}

/** Paragraphs somebody left empty say nothing on the page. */
export function withoutBlanks(html: string) {
  return html.replaceAll(/<p>(?:\s|&nbsp;|<br>)*<\/p>/g, '')
}
