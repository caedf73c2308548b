import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { useState } from 'react'
import { useTexts } from '../language.tsx'
import { BulletsIcon, LinkIcon, NumbersIcon, QuoteIcon, RedoIcon, UndoIcon } from './icons.tsx'
import { editorTexts } from './texts.ts'

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

/** One stop of the Tab key; the arrows go from button to button, Escape back to the text. */
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
