import type { Extensions, JSONContent } from '@tiptap/core'
import { isArticlePicture } from '#src/lib/image-sizes.ts'
import { StarterKit } from '@tiptap/starter-kit'
import { isAllowedLink } from './links.ts'
import { Extension, getSchema, Mark, Node } from '@tiptap/core'
import { goToNextCell, tableEditing } from '@tiptap/pm/tables'
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

const raised = (name: string, tag: string, other: string, key: string) =>
  Mark.create({
    name,
    excludes: other,
    parseHTML: () => [{ tag }],
    renderHTML: () => [tag, 0],
    addKeyboardShortcuts() {
      return { [key]: () => this.editor.commands.toggleMark(name) }
    },
  })

const cell = (name: string, tag: string, scopes: readonly string[]) =>
  Node.create({
    name,
    isolating: true,
    content: '(paragraph | picture | bulletList | orderedList | heading | blockquote)+',
    addAttributes: () => ({
      // Required by the table commands; pasted tables have no merged cells.
      colspan: { default: 1, rendered: false, parseHTML: () => 1 },
      rowspan: { default: 1, rendered: false, parseHTML: () => 1 },
      colwidth: { default: null, rendered: false, parseHTML: () => null },
      ...(scopes.length > 0 && {
        scope: {
          default: 'col',
          parseHTML: (element: HTMLElement) => scopes.find((one) => one === element.getAttribute('scope')) ?? 'col',
        },
      }),
    }),
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
  })

const tableRoles: Record<string, string> = { table: 'table', tableRow: 'row', tableCell: 'cell', tableHeader: 'header_cell' }

const tables = [
  Node.create({
    name: 'table',
    isolating: true,
    group: 'block',
    content: 'tableRow+',
    parseHTML: () => [{ tag: 'table' }],
    renderHTML: () => ['table', ['tbody', 0]],
    addKeyboardShortcuts() {
      const move = (direction: 1 | -1) => () => goToNextCell(direction)(this.editor.state, this.editor.view.dispatch)
      return { Tab: move(1), 'Shift-Tab': move(-1) }
    },
    addProseMirrorPlugins: () => [tableEditing()],
  }),
  Node.create({
    name: 'tableRow',
    content: '(tableCell | tableHeader)+',
    parseHTML: () => [{ tag: 'tr' }],
    renderHTML: () => ['tr', 0],
  }),
  cell('tableCell', 'td', []),
  cell('tableHeader', 'th', ['col', 'row']),
  // The table commands know the nodes by their role.
  Extension.create({
    name: 'tableRoles',
    extendNodeSchema: ({ name }) => ({ tableRole: tableRoles[name] }),
  }),
]

/** The elements on the allow-list of docs/api.md#rich-text. */
export const extensions: Extensions = [
  Picture,
  raised('superscript', 'sup', 'subscript', 'Mod-.'),
  raised('subscript', 'sub', 'superscript', 'Mod-,'),
  ...tables,
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
    .replaceAll('&nbsp;', '\u00a0')
    .replaceAll(/<p>(?:\s|<br>)*<\/p>/g, '<p><br></p>')
    .replace(/^(?:<p><br><\/p>)+/, '')
    .replace(/(?:<p><br><\/p>)+$/, '')
    .replaceAll(/<(br|img [^<>]*[^<>/])>/g, '<$1 />')
}
