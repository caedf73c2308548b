import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { useState } from 'react'
import { useTexts } from '../language.tsx'
import { editorTexts } from './texts.ts'
import { pathIcon } from '../components/icon.tsx'

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
