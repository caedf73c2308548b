import type { Editor } from '@tiptap/core'
import { EditorContent, useEditor } from '@tiptap/react'
import { useEffect, useRef, useState } from 'react'
import { extensions } from './extensions.ts'
import { parseHtml, toStored } from './html.ts'
import type { LinkDraft } from './link-dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { insertForeign } from './paste.ts'
import { Toolbar } from './toolbar.tsx'
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
  const hasWords = !isNew || !editor.state.selection.empty
  return { address: typeof href === 'string' ? href : '', text: hasWords ? null : '', isNew }
}

function stopIf(event: Event, isHandled: boolean) {
  if (isHandled) event.preventDefault()
  return isHandled
}
