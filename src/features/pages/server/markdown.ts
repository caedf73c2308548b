import { Marked } from 'marked'
import sanitizeHtml from 'sanitize-html'
import { escapeXml } from '#src/lib/text/escape.ts'

export type Section = { id: string; title: string }
type Head = { title: string; description: string; lead: string }
/** A text as it is written: its head, and its body in Markdown. */
export type TextSource = Head & { body: string }
export type Rendered = Head & { html: string; sections: Section[] }

/** A character by its number, but the apostrophe that marked writes so. */
const encoded = /&#(?!39;)(\d{2,3});/g

const headKeys = ['title', 'description', 'lead'] as const

/**
 * Renders one long text. A block `:::cards`, `:::steps` or `:::questions` lays out the sections of its `###` headings; HTML is
 * cleaned by an allow-list.
 */
export function renderText({ body, ...head }: TextSource): Rendered {
  const sections: Section[] = []
  const marked = createMarked(sections)
  const toHtml = (text: string) => clean(marked.parse(text, { async: false }), sections)
  const toInlineHtml = (text: string) => clean(marked.parseInline(text, { async: false }), sections)
  const html = splitBlocks(body)
    .map((part, index, parts) => {
      if (index % 3 === 0) return toHtml(part)
      return index % 3 === 1 ? renderBlock({ toHtml, toInlineHtml }, part, parts[index + 1] ?? '') : ''
    })
    .join('')
    // What `escapeMarkdown` encoded, by the names that readers of the HTML know.
    .replaceAll(encoded, (_whole, code: string) => escapeXml(String.fromCharCode(Number(code))))
  return { ...head, html, sections }
}

/** Text, kind, block, text, kind, block, text... */
const splitBlocks = (body: string) => body.split(/^:::(\w+)\n([\s\S]+?)\n:::$/m)

/** Throws what `renderText` would, in a fraction of its time. */
export function checkText({ body }: TextSource) {
  const asIs = { toHtml: String, toInlineHtml: String }
  const parts = splitBlocks(body)
  for (let at = 1; at < parts.length; at += 3) renderBlock(asIs, parts[at] ?? '', parts[at + 1] ?? '')
}

/** Reads a file of `company/texts`: a head of `title`, `description` and `lead`, then Markdown. */
export function parseText(source: string): TextSource {
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
  return { title: value('title'), description: value('description'), lead: value('lead'), body }
}

const allowedTags = [
  ...['p', 'br', 'strong', 'em', 'u', 's', 'del', 'sub', 'sup', 'code', 'pre', 'time', 'a', 'ul', 'ol', 'li', 'blockquote'],
  ...['h2', 'h3', 'h4', 'hr', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
]

/** Staff write these texts too: what Markdown does not make itself goes. */
function clean(html: string, sections: readonly Section[]) {
  return sanitizeHtml(html, {
    allowedTags,
    allowedAttributes: {
      a: ['href', 'rel'],
      h2: ['id'],
      ol: ['start'],
      time: ['datetime'],
      th: ['align', 'scope'],
      td: ['align'],
    },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowProtocolRelative: false,
    nestingLimit: 30,
    // As Markdown writes it.
    textFilter: (text) => text.replaceAll("'", '&#39;'),
    transformTags: {
      b: 'strong',
      i: 'em',
      h1: 'h2',
      h5: 'h4',
      h6: 'h4',
      // Markdown has column headers alone.
      th: (tagName, attribs) => ({ tagName, attribs: { ...attribs, scope: 'col' } }),
      h2: (tagName, attribs) => ({ tagName, attribs: sections.some(({ id }) => id === attribs.id) ? attribs : {} }),
      a: (tagName, { href = '' }) => ({
        tagName,
        attribs: { href, ...(/^https?:/i.test(href) ? { rel: 'noopener noreferrer' } : {}) },
      }),
    },
  })
}

function createMarked(sections: Section[]) {
  return new Marked({
    breaks: true,
    renderer: {
      heading({ tokens, depth, text }) {
        const html = this.parser.parseInline(tokens)
        if (depth !== 2) return `<h${depth}>${html}</h${depth}>\n`
        const title = text.replaceAll(encoded, (_whole, code: string) => String.fromCharCode(Number(code)))
        const section = { id: uniqueSlug(title, sections), title }
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

type Markdown = Record<'toHtml' | 'toInlineHtml', (text: string) => string>

function renderBlock({ toHtml, toInlineHtml }: Markdown, kind: string, block: string) {
  const layOut = Object.hasOwn(blocks, kind) ? blocks[kind] : undefined
  if (!layOut) throw new Error(`unknown block :::${kind}`)
  const items = block
    .split(/^### /m)
    .slice(1)
    .map((item) => {
      const [title = '', ...body] = item.split('\n')
      return { title: toInlineHtml(title.trim()), body: toHtml(body.join('\n')) }
    })
  if (items.length === 0) throw new Error(`the block :::${kind} has no ### heading`)
  return layOut(items)
}

function wrapItems<Item>(open: string, close: string, items: Item[], render: (item: Item) => string) {
  return `${open}${items.map(render).join('')}${close}\n`
}

/** Of two equal headings the second gets `-2`. */
function uniqueSlug(title: string, sections: readonly Section[]) {
  const wanted = slug(title)
  const taken = new Set(sections.map(({ id }) => id))
  let id = wanted
  for (let count = 2; taken.has(id); count += 1) id = `${wanted}-${count}`
  return id
}

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
