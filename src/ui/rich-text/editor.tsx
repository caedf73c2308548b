import type { Editor } from '@tiptap/core'
import { EditorContent, useEditor, useEditorState } from '@tiptap/react'
import { useEffect, useRef, useState } from 'react'
import { extensions, parseHtml, toStored } from './html.ts'
import { insertForeign } from './paste.ts'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { useTexts } from '../language.tsx'
import { pathIcon } from '../components/icon.tsx'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { TextField } from '../forms/field.tsx'
import { completeLink } from './links.ts'
import { defineTexts } from '#src/lib/language/texts.ts'
import './editor.css'

export type RichTextEditorProps = {
  /** BCP 47 tag of the text, for spell checking and screen readers. */
  lang: string
  value: string
  onChange: (html: string) => void
  /** Attributes that link label, hint and error to the editor. */
  attributes: Record<string, string>
}

/** Rich text editor limited to the allowed elements; it shows the text as the page will. */
export function RichTextEditor({ lang, value, onChange, attributes }: RichTextEditorProps) {
  const bar = useRef<HTMLDivElement>(null)
  const written = useRef(value)
  const [link, setLink] = useState<LinkDraft | null>(null)
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
      <Toolbar editor={editor} lang={lang} bar={bar} onLink={() => setLink(draftOf(editor))} />
      <EditorContent editor={editor} />
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
}

/** One tab stop; arrow keys move between buttons, Escape returns to the text. */
export function Toolbar({ editor, lang, bar, onLink }: ToolbarProps) {
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
const UndoIcon = pathIcon('M8 5 4 9l4 4M4 9h9a6 6 0 0 1 0 12h-2')
const RedoIcon = pathIcon('m16 5 4 4-4 4m4-4h-9a6 6 0 0 0 0 12h2')

export type LinkDraft = {
  address: string
  /** Null where the link is applied to the selected text. */
  text: string | null
  isNew: boolean
}

type LinkDialogProps = {
  draft: LinkDraft
  onSet: (address: string, text: string | null) => void
  onRemove: () => void
  onClose: () => void
}

export function LinkDialog({ draft, onSet, onRemove, onClose }: LinkDialogProps) {
  const t = useTexts(editorTexts)
  const [address, setAddress] = useState(draft.address)
  const [text, setText] = useState(draft.text)
  const [isWrong, setWrong] = useState(false)
  const handleSet = () => {
    const complete = completeLink(address)
    if (complete) onSet(complete, text)
    else setWrong(true)
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // Enter would submit the form around the editor.
    event.preventDefault()
    handleSet()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('linkTitle')}
      actions={
        <>
          {!draft.isNew && (
            <Button variant="danger" onClick={onRemove}>
              {t('removeLink')}
            </Button>
          )}
          <Button variant="secondary" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button onClick={handleSet}>{t('insertLink')}</Button>
        </>
      }
    >
      <div className="grid gap-5">
        <TextField
          label={t('linkAddress')}
          hint={t('linkHint')}
          error={isWrong ? t('linkWrong') : null}
          value={address}
          maxLength={2000}
          autoComplete="off"
          onChange={(event) => {
            setAddress(event.target.value)
            setWrong(false)
          }}
          onKeyDown={handleKey}
        />
        {text !== null && (
          <TextField
            label={t('linkText')}
            optional
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={handleKey}
          />
        )}
      </div>
    </Dialog>
  )
}

export const editorTexts = defineTexts({
  fr: {
    toolbarFr: 'Mise en forme du français',
    toolbarEn: 'Mise en forme de l’anglais',
    keys: 'Alt+F10 mène à la barre de mise en forme.',
    bold: 'Gras',
    boldSign: 'G',
    italic: 'Italique',
    italicSign: 'I',
    underline: 'Souligné',
    underlineSign: 'S',
    strike: 'Barré',
    strikeSign: 'B',
    heading: 'Titre dans le texte',
    headingSign: 'Titre',
    subheading: 'Sous-titre',
    bullets: 'Liste à puces',
    numbers: 'Liste numérotée',
    quote: 'Citation',
    link: 'Lien',
    undo: 'Annuler la dernière modification',
    redo: 'Rétablir',
    linkTitle: 'Ajouter ou modifier un lien',
    linkAddress: 'Adresse',
    linkHint: 'Adresse d’une page (https://…), courriel ou numéro de téléphone.',
    linkWrong: 'Cette adresse n’est pas valide. Entrez par exemple https://example.com.',
    linkText: 'Texte du lien',
    insertLink: 'Insérer le lien',
    removeLink: 'Supprimer le lien',
    cancel: 'Annuler',
  },
  en: {
    toolbarFr: 'Formatting of the French',
    toolbarEn: 'Formatting of the English',
    keys: 'Alt+F10 leads to the formatting bar.',
    bold: 'Bold',
    boldSign: 'B',
    italic: 'Italic',
    italicSign: 'I',
    underline: 'Underline',
    underlineSign: 'U',
    strike: 'Strikethrough',
    strikeSign: 'S',
    heading: 'Heading in the text',
    headingSign: 'Heading',
    subheading: 'Subheading',
    bullets: 'Bulleted list',
    numbers: 'Numbered list',
    quote: 'Quote',
    link: 'Link',
    undo: 'Undo the last change',
    redo: 'Redo',
    linkTitle: 'Add or edit a link',
    linkAddress: 'Address',
    linkHint: 'Web address (https://…), email address or phone number.',
    linkWrong: 'This address is not valid. Enter for example https://example.com.',
    linkText: 'Link text',
    insertLink: 'Insert link',
    removeLink: 'Remove link',
    cancel: 'Cancel',
  },
})
