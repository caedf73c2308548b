import type { Editor } from '@tiptap/core'
import { EditorContent, useEditor, useEditorState } from '@tiptap/react'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { extensions, parseHtml, toStored } from './html.ts'
import {
  addColumnAfter,
  addRowAfter,
  deleteColumn,
  deleteRow,
  deleteTable,
  isInTable,
  selectedRect,
  toggleHeader,
} from '@tiptap/pm/tables'
import { richTextMax } from '#src/lib/text/html-text.ts'
import type { PasteLoss } from './paste.ts'
import { insertForeign } from './paste.ts'
import type { LinkDraft, StoredPicture } from './editor-dialogs.tsx'
import { LinkDialog, PictureDialog } from './editor-dialogs.tsx'
import { editorTexts } from './editor-texts.ts'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import type { Translate } from '#src/lib/language/texts.ts'
import type { EditorState, Transaction } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { useTexts } from '../language.tsx'
import { pathIcon } from '../components/icon.tsx'
import type { Upload } from '../uploads/upload.ts'
import './editor.css'

export type RichTextEditorProps = {
  /** BCP 47 tag of the text, for spell checking and screen readers. */
  lang: string
  value: string
  onChange: (html: string) => void
  /** Attributes that link label, hint and error to the editor. */
  attributes: Record<string, string>
  /** Stores a picture; without it the text takes none. */
  createPictureUpload?: ((file: File) => Upload<StoredPicture>) | undefined
}

/** Rich text editor limited to the allowed elements; it shows the text as the page will. */
export function RichTextEditor({ lang, value, onChange, attributes, createPictureUpload }: RichTextEditorProps) {
  const bar = useRef<HTMLDivElement>(null)
  const written = useRef(value)
  const [link, setLink] = useState<LinkDraft | null>(null)
  /** The pasted or dropped picture in the dialog; null for one that is still to be chosen. */
  const [picture, setPicture] = useState<{ file: File | null }>()
  const [notice, setNotice] = useState('')
  const [length, setLength] = useState(value.length)
  const t = useTexts(editorTexts)
  const handles = useRef<Handles>({ insert: () => false })
  const [content] = useState(() => parseHtml(value))
  const editor = useEditor({
    extensions,
    content,
    // Its style element would need the page's nonce.
    injectCSS: false,
    editorProps: {
      attributes: { ...attributes, lang, role: 'textbox', 'aria-multiline': 'true', class: 'prose editor-text' },
      handleDOMEvents: {
        paste: (view, event) => {
          readSelection()
          return stopIf(event, handles.current.insert(view, event.clipboardData))
        },
        drop: (view, event) => {
          const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos
          return !view.dragging && stopIf(event, handles.current.insert(view, event.dataTransfer, at))
        },
        keydown: (_view, event) => {
          if (!event.isComposing) readSelection()
          if (!event.altKey || event.key !== 'F10') return false
          bar.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
          return stopIf(event, true)
        },
      },
    },
    onUpdate: ({ editor: changed }) => {
      written.current = toStored(changed.getHTML())
      setLength(written.current.length)
      onChange(written.current)
    },
  })

  useEffect(() => {
    handles.current.insert = (view, data, at) => {
      const file = data?.files[0]
      const losses = insertForeign(view, data, at)
      if (losses) setNotice(losses.map((loss) => noticeOf(loss, Boolean(createPictureUpload), t)).join(' '))
      // A picture that was copied from a page comes with HTML that holds it alone.
      if (!file || (losses && data.getData('text/plain').trim())) return losses !== null
      if (createPictureUpload && file.type.startsWith('image/')) {
        setNotice('')
        setPicture({ file })
      } else setNotice(t(file.type.startsWith('image/') ? 'noPictures' : 'noFiles'))
      return true
    }
  })

  useEffect(() => {
    // The value was replaced from outside, for instance by another version.
    if (value === written.current) return
    written.current = value
    setLength(value.length)
    editor.commands.setContent(parseHtml(value), { emitUpdate: false })
  }, [editor, value])

  /** Closes a dialog; the next key already belongs to the text, where the editor's own focus waits for a frame. */
  const returnToText = () => {
    flushSync(() => {
      setLink(null)
      setPicture(undefined)
    })
    editor.view.focus()
  }

  const handleKey = (event: KeyboardEvent) => {
    const isCommand = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
    if (!isCommand || event.key.toLowerCase() !== 'k' || (event.target as Element).closest('dialog')) return
    event.preventDefault()
    setLink(draftOf(editor))
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Ctrl+K of the text and of its toolbar
    <div className="editor" onKeyDown={handleKey}>
      <Toolbar
        editor={editor}
        field={attributes['aria-label'] ?? ''}
        bar={bar}
        onLink={() => setLink(draftOf(editor))}
        onPicture={createPictureUpload && (() => setPicture({ file: null }))}
      />
      <EditorContent editor={editor} onInput={() => setNotice('')} />
      <div role="status" className="editor-notice">
        {notice && <p>{notice}</p>}
        {length > richTextMax * nearLimit && <p>{t('nearLimit', { count: length, max: richTextMax })}</p>}
      </div>
      {picture && createPictureUpload && (
        <PictureDialog
          given={picture.file}
          createUpload={createPictureUpload}
          onClose={returnToText}
          onAdd={({ url: src, width, height }, alt) => {
            returnToText()
            editor.commands.insertContent({ type: 'picture', attrs: { src, alt, width, height } })
          }}
        />
      )}
      {link && (
        <LinkDialog
          draft={link}
          onClose={returnToText}
          onRemove={() => {
            returnToText()
            editor.chain().extendMarkRange('link').unsetLink().run()
          }}
          onSet={(href, text) => {
            returnToText()
            if (text === null) editor.chain().extendMarkRange('link').setLink({ href }).run()
            else editor.commands.insertContent({ type: 'text', text: text || href, marks: [{ type: 'link', attrs: { href } }] })
          }}
        />
      )}
    </div>
  )
}

/** A busy browser reports a selection after the next key or paste: read before it, that acts on the text that is marked. */
const readSelection = () => document.dispatchEvent(new Event('selectionchange'))

type Handles = { insert: (view: EditorView, data: DataTransfer | null, at?: number) => boolean }

/** Share of the longest text from which the length is shown. */
const nearLimit = 0.9

function noticeOf(loss: PasteLoss, takesPictures: boolean, t: Translate<keyof typeof editorTexts.fr>) {
  if (loss === 'reviewMarks') return t('reviewMarksLeftOut')
  if (loss === 'tables') return t('tablesFlattened')
  return takesPictures ? `${t('picturesLeftOut')} ${t('pictureButton')}` : t('picturesLeftOut')
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

/** Shown while the cursor is in a table. */
function tableTools(editor: Editor, isHeader: boolean): Tool[] {
  const run = (command: (state: EditorState, dispatch?: (tr: Transaction) => void) => boolean) => () => {
    editor.commands.focus()
    command(editor.state, editor.view.dispatch)
  }
  // Without its last row or column the table goes.
  const remove = (side: 'width' | 'height', command: typeof deleteRow) => () =>
    run(selectedRect(editor.state).map[side] > 1 ? command : deleteTable)()
  return [
    { key: 'headerRow', sign: <HeaderRowIcon />, isOn: isHeader, run: run(toggleHeader('row')) },
    { key: 'addRow', sign: <AddRowIcon />, run: run(addRowAfter) },
    { key: 'deleteRow', sign: <DeleteRowIcon />, run: remove('height', deleteRow) },
    { key: 'addColumn', sign: <AddColumnIcon />, run: run(addColumnAfter) },
    { key: 'deleteColumn', sign: <DeleteColumnIcon />, run: remove('width', deleteColumn) },
  ]
}

type ToolbarProps = {
  editor: Editor
  /** Label of the field whose text it formats. */
  field: string
  bar: RefObject<HTMLDivElement | null>
  onLink: () => void
  onPicture?: (() => void) | undefined
}

/** One tab stop; arrow keys move between buttons, Escape returns to the text. */
export function Toolbar({ editor, field, bar, onLink, onPicture }: ToolbarProps) {
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
      superscript: editor.isActive('superscript'),
      subscript: editor.isActive('subscript'),
      inTable: isInTable(editor.state),
      header: editor.isActive('tableHeader'),
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
    { key: 'superscript', sign: <SuperscriptIcon />, isOn: is.superscript, run: () => chain().toggleMark('superscript').run() },
    { key: 'subscript', sign: <SubscriptIcon />, isOn: is.subscript, run: () => chain().toggleMark('subscript').run() },
    ...(is.inTable ? tableTools(editor, is.header) : []),
    { key: 'undo', sign: <UndoIcon />, isOff: !is.canUndo, run: () => chain().undo().run() },
    { key: 'redo', sign: <RedoIcon />, isOff: !is.canRedo, run: () => chain().redo().run() },
  ]

  // The tools of a table disappear with it.
  const active = Math.min(current, tools.length - 1)
  const handleKey = (event: KeyboardEvent) => {
    const moves: Record<string, number> = { ArrowRight: active + 1, ArrowLeft: active - 1, Home: 0, End: tools.length - 1 }
    if (event.key === 'Escape') editor.commands.focus()
    const next = moves[event.key]
    if (next === undefined) return
    event.preventDefault()
    const index = (next + tools.length) % tools.length
    setCurrent(index)
    bar.current?.querySelectorAll('button')[index]?.focus()
  }

  return (
    <div ref={bar} role="toolbar" aria-label={t('toolbar', { field })} className="editor-bar" onKeyDown={handleKey}>
      {tools.map(({ key, sign, run, isOn, isOff }, index) => (
        <button
          key={key}
          type="button"
          className="editor-tool"
          tabIndex={index === active ? 0 : -1}
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
const SuperscriptIcon = pathIcon('m4 8 8 11m0-11L4 19M16 4.5c.6-1.6 3.6-1.4 3.6.5 0 1.6-3.6 2.4-3.6 4.5h4')
const SubscriptIcon = pathIcon('m4 4 8 11m0-11L4 15m12 .5c.6-1.6 3.6-1.4 3.6.5 0 1.6-3.6 2.4-3.6 4.5h4')
const HeaderRowIcon = pathIcon('M4 5h16v14H4zM4 10h16M4 8.5h16M4 7h16M12 10v9')
const AddRowIcon = pathIcon('M4 4h16v8H4zM12 4v8M12 15v6m-3-3h6')
const DeleteRowIcon = pathIcon('M4 4h16v8H4zM12 4v8M9 18h6')
const AddColumnIcon = pathIcon('M4 4h8v16H4zM4 12h8M18 9v6m-3-3h6')
const DeleteColumnIcon = pathIcon('M4 4h8v16H4zM4 12h8M15 12h6')
const UndoIcon = pathIcon('M8 5 4 9l4 4M4 9h9a6 6 0 0 1 0 12h-2')
const RedoIcon = pathIcon('m16 5 4 4-4 4m4-4h-9a6 6 0 0 0 0 12h2')
