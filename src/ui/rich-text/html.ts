import type { Extensions, JSONContent } from '@tiptap/core'
import { isArticlePicture } from '#src/lib/image-sizes.ts'
import { StarterKit } from '@tiptap/starter-kit'
import { isAllowedLink } from './links.ts'
import { getSchema, Node } from '@tiptap/core'
import { DOMParser } from '@tiptap/pm/model'
import { trustHtml } from './trusted-html.ts'

/** A picture of the product; others are dropped. */
const Picture = Node.create({
  name: 'picture',
  group: 'block',
  draggable: true,
  addAttributes: () => ({ src: {}, alt: { default: '' }, width: {}, height: {} }),
  parseHTML: () => [{ tag: 'img[src]', getAttrs: (element) => isArticlePicture(element.getAttribute('src') ?? '') && null }],
  renderHTML: ({ HTMLAttributes }) => ['img', HTMLAttributes],
})

/** The elements on the allow-list of docs/api.md#rich-text. */
export const extensions: Extensions = [
  Picture,
  StarterKit.configure({
    heading: { levels: [3, 4] },
    code: false,
    codeBlock: false,
    horizontalRule: false,
    trailingNode: false,
    link: {
      openOnClick: false,
      autolink: true,
      defaultProtocol: 'https',
      protocols: ['mailto', 'tel'],
      isAllowedUri: isAllowedLink,
      // The server adds `target` and `rel` to external links.
      HTMLAttributes: { target: null, rel: null, class: null },
    },
  }),
]

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
    .replaceAll(/<(br|img [^<>]*[^<>/])>/g, '<$1 />')
}
