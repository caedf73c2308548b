import { Marked } from 'marked'
import { escapeXml } from '#src/lib/text/escape.ts'

export type Section = { id: string; title: string }
export type Rendered = { title: string; description: string; lead: string; html: string; sections: Section[] }

/** A character by its number, but the apostrophe that marked writes so. */
const encoded = /&#(?!39;)(\d{2,3});/g

const headKeys = ['title', 'description', 'lead'] as const

/**
 * Renders one trusted text of `company/texts`: a head of `title`, `description` and `lead`, then Markdown. A block `:::cards`,
 * `:::steps` or `:::questions` lays out the sections of its `###` headings.
 */
export function renderText(source: string): Rendered {
  const { head, body } = splitHead(source)
  const sections: Section[] = []
  const marked = createMarked(sections)
  const html = body
    .split(/^:::(\w+)\n([\s\S]+?)\n:::$/m)
    // The split gives text, kind, block, text, kind, block, text...
    .map((part, index, parts) => {
      if (index % 3 === 0) return toHtml(marked, part)
      return index % 3 === 1 ? renderBlock(marked, part, parts[index + 1] ?? '') : ''
    })
    .join('')
    // What `escapeMarkdown` encoded, by the names that readers of the HTML know.
    .replaceAll(encoded, (_whole, code: string) => escapeXml(String.fromCharCode(Number(code))))
  return { ...head, html, sections }
}

function splitHead(source: string) {
  const [, lines, body] = /^---\n([\s\S]+?)\n---\n([\s\S]*)$/.exec(source.replaceAll('\r\n', '\n')) ?? []
  if (lines === undefined || body === undefined) throw new Error('the text must begin with a head between two lines of ---')
  const entries = lines.split('\n').map((line) => {
    const [, key = '', value = ''] = /^(\w+): (.+)$/.exec(line) ?? []
    return [key, value.trim()] as const
  })
  const given = new Map<string, string>(entries)
  if (given.size !== headKeys.length) throw new Error(`the head must hold ${headKeys.join(', ')} and nothing else`)
  const value = (key: (typeof headKeys)[number]) => {
    const found = given.get(key)
    if (!found) throw new Error(`the head lacks ${key}`)
    return found
  }
  return { head: { title: value('title'), description: value('description'), lead: value('lead') }, body }
}

function createMarked(sections: Section[]) {
  return new Marked({
    breaks: true,
    renderer: {
      heading({ tokens, depth, text }) {
        const html = this.parser.parseInline(tokens)
        if (depth !== 2) return `<h${depth}>${html}</h${depth}>\n`
        const title = text.replaceAll(encoded, (_whole, code: string) => String.fromCharCode(Number(code)))
        const section = { id: slug(title), title }
        sections.push(section)
        return `<h2 id="${section.id}">${html}</h2>\n`
      },
    },
  })
}

const blocks: Record<string, (items: { title: string; body: string }[]) => string> = {
  cards: (items) =>
    wrapItems('<div class="my-6 grid gap-x-8 gap-y-7 sm:grid-cols-2">', '</div>', items, ({ title, body }) => {
      return `<section class="border-t-2 border-ink pt-3"><h3 class="mt-0 mb-1 text-lg">${title}</h3>${body}</section>`
    }),
  steps: (items) =>
    wrapItems(
      '<ol class="steps">',
      '</ol>',
      items,
      ({ title, body }) => `<li><h3 class="mt-0 mb-1 text-lg">${title}</h3>${body}</li>`,
    ),
  questions: (items) =>
    wrapItems('<div>', '</div>', items, ({ title, body }) => {
      return `<details class="panel"><summary>${title}${chevron}</summary><div class="prose pb-5 text-ink-2">${body}</div></details>`
    }),
}

const chevron =
  '<svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" class="panel-sign" aria-hidden="true"><path d="m6 9 6 6 6-6"/></svg>'

function renderBlock(marked: Marked, kind: string, block: string) {
  const layOut = blocks[kind]
  if (!layOut) throw new Error(`unknown block :::${kind}`)
  const items = block
    .split(/^### /m)
    .slice(1)
    .map((item) => {
      const [title = '', ...body] = item.split('\n')
      return { title: marked.parseInline(title.trim(), { async: false }), body: toHtml(marked, body.join('\n')) }
    })
  if (items.length === 0) throw new Error(`the block :::${kind} has no ### heading`)
  return layOut(items)
}

function wrapItems<Item>(open: string, close: string, items: Item[], render: (item: Item) => string) {
  return `${open}${items.map(render).join('')}${close}\n`
}

const toHtml = (marked: Marked, text: string) => marked.parse(text, { async: false })

/** `2. Où sont vos données` gives `ou-sont-vos-donnees`. */
function slug(title: string) {
  return title
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .replace(/^\d+\.\s*/, '')
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
