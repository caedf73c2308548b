import { useEffect } from 'react'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { focusPane, pressAction } from './console-panes.tsx'
import { consoleTexts } from './console-texts.ts'
import { areSingleKeysOn } from './single-keys.tsx'

const shortcuts = [
  ['keyEnter', 'doEnter'],
  ['keyNewLine', 'doNewLine'],
  ['keySlash', 'doSlash'],
  ['keySuggestion', 'doSuggestion'],
  ['keyTake', 'doTake'],
  ['keyAnswer', 'doAnswer'],
  ['keyNote', 'doNote'],
  ['keyTransfer', 'doTransfer'],
  ['keyEnd', 'doEnd'],
  ['keyNext', 'doNext'],
  ['keyList', 'doList'],
  ['keyEscape', 'doEscape'],
  ['keyHelp', 'doHelp'],
] as const

/** The list of keyboard shortcuts. */
export function ShortcutsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTexts(consoleTexts)
  return (
    <Dialog open={open} onClose={onClose} title={t('shortcuts')}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-5 gap-y-2">
        {shortcuts.map(([key, effect]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="console-key">{t(key)}</kbd>
            </dt>
            <dd>{t(effect)}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-sm">
        <Link to="/admin/profile#keyboard" className="text-brand underline">
          {t('singleKeysWhere')}
        </Link>
      </p>
    </Dialog>
  )
}

type Keys = {
  /** The order for Alt and the arrows. */
  order: number[]
  current: number | null
  onOpen: (id: number) => void
  onTake: () => void
  onHelp: () => void
  onLeave: () => void
}

/** By the place of the key: with Alt a letter may be another character. */
const paneKeys = {
  KeyR: (id: number) => focusPane(id, 'answer'),
  KeyN: (id: number) => focusPane(id, 'note'),
  KeyT: (id: number) => pressAction(id, 'transfer'),
  KeyX: (id: number) => pressAction(id, 'end'),
  Digit1: (id: number) => pressAction(id, 'suggestion1'),
  Digit2: (id: number) => pressAction(id, 'suggestion2'),
}

/** Shortcuts of the whole console. */
export function useConsoleKeys({ order, current, onOpen, onTake, onHelp, onLeave }: Keys) {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return
      const target = event.target instanceof Element ? event.target : document.body
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (event.altKey && step !== 0 && order.length > 0) {
        const at = current === null ? -1 : order.indexOf(current)
        const next = order[at === -1 ? 0 : (at + step + order.length) % order.length]
        if (next !== undefined) onOpen(next)
        event.preventDefault()
      } else if (event.altKey && !event.ctrlKey && event.code === 'KeyP') {
        onTake()
        event.preventDefault()
      } else if (event.altKey && !event.ctrlKey && current !== null && event.code in paneKeys) {
        paneKeys[event.code as keyof typeof paneKeys](current)
        event.preventDefault()
      } else if (event.key === '?' && areSingleKeysOn() && !target.closest('input, textarea, select')) {
        onHelp()
        event.preventDefault()
      } else if (event.key === 'Escape' && target.closest('.console-middle, .console-person')) {
        onLeave()
        focusCurrentItem()
      }
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  })
}

/** The chat that waits longest, otherwise the current row. */
export function focusList() {
  requestAnimationFrame(() => {
    const list = document.querySelector('.console-list')
    const next = list?.querySelector<HTMLElement>('.console-list-foot button')
    const item =
      next ?? list?.querySelector<HTMLElement>('.console-item[aria-current]') ?? list?.querySelector<HTMLElement>('.console-item')
    // The foot is in sight wherever the list is scrolled to.
    item?.focus({ preventScroll: item === next })
  })
}

function focusCurrentItem() {
  requestAnimationFrame(() => {
    const list = document.querySelector('.console-list')
    const item = list?.querySelector<HTMLElement>('.console-item[aria-current]') ?? list?.querySelector<HTMLElement>('button')
    item?.focus()
  })
}
