import { useEffect } from 'react'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { consoleTexts } from './console-texts.ts'

const shortcuts = [
  ['keyEnter', 'doEnter'],
  ['keyNewLine', 'doNewLine'],
  ['keySlash', 'doSlash'],
  ['keyNote', 'doNote'],
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
    </Dialog>
  )
}

type Keys = {
  /** The order for Alt and the arrows. */
  order: number[]
  current: number | null
  onOpen: (id: number) => void
  onHelp: () => void
  onLeave: () => void
}

/** Shortcuts of the whole console. */
export function useConsoleKeys({ order, current, onOpen, onHelp, onLeave }: Keys) {
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
      } else if (event.key === '?' && !target.closest('input, textarea, select')) {
        onHelp()
        event.preventDefault()
      } else if (event.key === 'Escape' && target.closest('.console-middle, .console-person')) {
        onLeave()
        focusList()
      }
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  })
}

function focusList() {
  requestAnimationFrame(() => {
    const list = document.querySelector('.console-list')
    const item = list?.querySelector<HTMLElement>('.console-item[aria-current]') ?? list?.querySelector<HTMLElement>('button')
    item?.focus()
  })
}
