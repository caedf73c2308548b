import type { Editor } from '@tiptap/core'
import { EditorContent, useEditor, useEditorState } from '@tiptap/react'
import { useEffect, useRef, useState } from 'react'
import { extensions, parseHtml, toStored } from './html.ts'
import { insertForeign } from './paste.ts'
import type { LinkDraft, StoredPicture } from './editor-dialogs.tsx'
import { LinkDialog, PictureDialog } from './editor-dialogs.tsx'
import { editorTexts } from './editor-texts.ts'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { useTexts } from '../language.tsx'
import { pathIcon } from '../components/icon.tsx'
import './editor.css'

export type RichTextEditorProps = {
  /** BCP 47 tag of the text, for spell checking and screen readers. */
  lang: string
  value: string
  onChange: (html: string) => void
  /** Attributes that link label, hint and error to the editor. */
  attributes: Record<string, string>
  /** Stores a picture; without it the text takes none. */
  uploadPicture?: ((file: File) => Promise<StoredPicture>) | undefined
}

/** Rich text editor limited to the allowed elements; it shows the text as the page will. */
export function RichTextEditor({ lang, value, onChange, attributes, uploadPicture }: RichTextEditorProps) {
  const bar = useRef<HTMLDivElement>(null)
  const written = useRef(value)
  const [link, setLink] = useState<LinkDraft | null>(null)
  const [isAddingPicture, setAddingPicture] = useState(false)
  const [content] = useState(() => parseHtml(value))
  const editor = useEditor({
    extensions,
    content,
    // Its style element would need the page's nonce.
    injectCSS: false,
    editorProps: {
      attributes: { ...attributes, lang, role: 'textbox', 'aria-multiline': 'true', class: 'prose editor-text' },
      handleDOMEvents: {
        paste: (view, event) => stopIf(event, insertForeign(view, event.clipboardData)),
        drop: (view, event) => {
          const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos
          return !view.dragging && stopIf(event, insertForeign(view, event.dataTransfer, at))
        },
        keydown: (_view, event) => {
          if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'k') {
            setLink(draftOf(editor))
            return stopIf(event, true)
          }
          if (!event.altKey || event.key !== 'F10') return false
          bar.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
          return stopIf(event, true)
        },
      },
    },
    onUpdate: ({ editor: changed }) => {
      written.current = toStored(changed.getHTML())
      onChange(written.current)
    },
  })

  useEffect(() => {
    // The value was replaced from outside, for instance by another version.
    if (value === written.current) return
    written.current = value
    editor.commands.setContent(parseHtml(value), { emitUpdate: false })
  }, [editor, value])

  const close = () => {
    setLink(null)
    editor.commands.focus()
  }

  return (
    <div className="editor">
      <Toolbar
        editor={editor}
        lang={lang}
        bar={bar}
        onLink={() => setLink(draftOf(editor))}
        onPicture={uploadPicture && (() => setAddingPicture(true))}
      />
      <EditorContent editor={editor} />
      {isAddingPicture && uploadPicture && (
        <PictureDialog
          upload={uploadPicture}
          onClose={() => {
            setAddingPicture(false)
            editor.commands.focus()
          }}
          onAdd={({ url: src, width, height }, alt) => {
            setAddingPicture(false)
            editor.chain().focus().insertContent({ type: 'picture', attrs: { src, alt, width, height } }).run()
          }}
        />
      )}
      {link && (
        <LinkDialog
          draft={link}
          onClose={close}
          onRemove={() => {
            setLink(null)
            editor.chain().focus().extendMarkRange('link').unsetLink().run()
          }}
          onSet={(href, text) => {
            setLink(null)
            if (text === null) editor.chain().focus().extendMarkRange('link').setLink({ href }).run()
            else
              editor
                .chain()
                .focus()
                .insertContent({ type: 'text', text: text || href, marks: [{ type: 'link', attrs: { href } }] })
                .run()
          }}
        />
      )}
    </div>
  )
}

/** Initial values of the link dialog: the link at the cursor, or the selected text. */
function draftOf(editor: Editor): LinkDraft {
  const isNew = !editor.isActive('link')
  const { href } = editor.getAttributes('link')
  const hasText = !isNew || !editor.state.selection.empty
  return { address: typeof href === 'string' ? href : '', text: hasText ? null : '', isNew }
}

function stopIf(event: Event, isHandled: boolean) {
  if (isHandled) event.preventDefault()
  return isHandled
}

type Tool = {
  key: Extract<keyof (typeof editorTexts)['fr'], string>
  sign: ReactNode
  run: () => void
  isOn?: boolean
  isOff?: boolean
}

type ToolbarProps = {
  editor: Editor
  /** BCP 47 tag of the text it formats. */
  lang: string
  bar: RefObject<HTMLDivElement | null>
  onLink: () => void
  onPicture?: (() => void) | undefined
}

/** One tab stop; arrow keys move between buttons, Escape returns to the text. */
export function Toolbar({ editor, lang, bar, onLink, onPicture }: ToolbarProps) {
  const t = useTexts(editorTexts)
  const [current, setCurrent] = useState(0)
  const is = useEditorState({
    editor,
    selector: () => ({
      bold: editor.isActive('bold'),
      italic: editor.isActive('italic'),
      underline: editor.isActive('underline'),
      strike: editor.isActive('strike'),
      heading: editor.isActive('heading', { level: 3 }),
      subheading: editor.isActive('heading', { level: 4 }),
      bullets: editor.isActive('bulletList'),
      numbers: editor.isActive('orderedList'),
      quote: editor.isActive('blockquote'),
      link: editor.isActive('link'),
      canUndo: editor.can().undo(),
      canRedo: editor.can().redo(),
    }),
  })
  const chain = () => editor.chain().focus()
  const tools: Tool[] = [
    { key: 'bold', sign: <b>{t('boldSign')}</b>, isOn: is.bold, run: () => chain().toggleBold().run() },
    { key: 'italic', sign: <i>{t('italicSign')}</i>, isOn: is.italic, run: () => chain().toggleItalic().run() },
    { key: 'underline', sign: <u>{t('underlineSign')}</u>, isOn: is.underline, run: () => chain().toggleUnderline().run() },
    { key: 'strike', sign: <s>{t('strikeSign')}</s>, isOn: is.strike, run: () => chain().toggleStrike().run() },
    { key: 'heading', sign: <b>{t('headingSign')}</b>, isOn: is.heading, run: () => chain().toggleHeading({ level: 3 }).run() },
    { key: 'subheading', sign: t('subheading'), isOn: is.subheading, run: () => chain().toggleHeading({ level: 4 }).run() },
    { key: 'bullets', sign: <BulletsIcon />, isOn: is.bullets, run: () => chain().toggleBulletList().run() },
    { key: 'numbers', sign: <NumbersIcon />, isOn: is.numbers, run: () => chain().toggleOrderedList().run() },
    { key: 'quote', sign: <QuoteIcon />, isOn: is.quote, run: () => chain().toggleBlockquote().run() },
    { key: 'link', sign: <LinkIcon />, isOn: is.link, run: onLink },
    ...(onPicture ? [{ key: 'picture' as const, sign: <PictureIcon />, run: onPicture }] : []),
    { key: 'undo', sign: <UndoIcon />, isOff: !is.canUndo, run: () => chain().undo().run() },
    { key: 'redo', sign: <RedoIcon />, isOff: !is.canRedo, run: () => chain().redo().run() },
  ]

  const handleKey = (event: KeyboardEvent) => {
    const moves: Record<string, number> = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: tools.length - 1 }
    if (event.key === 'Escape') editor.commands.focus()
    const next = moves[event.key]
    if (next === undefined) return
    event.preventDefault()
    const index = (next + tools.length) % tools.length
    setCurrent(index)
    bar.current?.querySelectorAll('button')[index]?.focus()
  }

  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={t(lang.startsWith('fr') ? 'toolbarFr' : 'toolbarEn')}
      className="editor-bar"
      onKeyDown={handleKey}
    >
      {tools.map(({ key, sign, run, isOn, isOff }, index) => (
        <button
          key={key}
          type="button"
          className="editor-tool"
          tabIndex={index === current ? 0 : -1}
          aria-label={t(key)}
          title={t(key)}
          aria-pressed={isOn}
          aria-disabled={isOff || undefined}
          onFocus={() => setCurrent(index)}
          onClick={isOff ? undefined : run}
        >
          {sign}
        </button>
      ))}
    </div>
  )
}

// Here, because every page loads the site's icons.
const BulletsIcon = pathIcon('M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01')
const NumbersIcon = pathIcon('M10 6h10M10 12h10M10 18h10M4 4.5l1.5-.5v4M4 14.5c.3-1 2.4-1 2.2.4C6 16 4 17 4 18.5h2.4')
const QuoteIcon = pathIcon('M4 5v14M9 7h11M9 12h11M9 17h7')
const LinkIcon = pathIcon(
  'M10 14a4 4 0 0 0 5.7 0l3.1-3.1a4 4 0 0 0-5.7-5.7L12 6.3m2 3.7a4 4 0 0 0-5.7 0l-3.1 3.1a4 4 0 0 0 5.7 5.7L12 17.7',
)
const PictureIcon = pathIcon('M4 5h16v14H4zm0 11 5-5 4 4 2-2 5 5M15.5 9.5h.01')
const UndoIcon = pathIcon('M8 5 4 9l4 4M4 9h9a6 6 0 0 1 0 12h-2')
const RedoIcon = pathIcon('m16 5 4 4-4 4m4-4h-9a6 6 0 0 0 0 12h2')
