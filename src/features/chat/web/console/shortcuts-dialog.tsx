import { Dialog } from '#src/ui/dialog.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { staffTexts } from '../../staff-texts.ts'

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

/** What the keyboard does in the console. */
export function ShortcutsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTexts(staffTexts)
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
