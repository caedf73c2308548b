import { Badge } from '#src/ui/badge.tsx'
import { locales } from '#src/lib/language.ts'
import type { Language } from '#src/lib/language.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/link.tsx'
import type { CannedReply } from '../../console-contract.ts'
import { staffTexts } from '../../staff-texts.ts'
import { textFor } from './canned.ts'

type CannedMenuProps = {
  id: string
  offered: CannedReply[]
  chosen: number
  /** The language of the visitor. */
  visitor: Language
  onPick: (reply: CannedReply) => void
}

/** What `/` offers; the field above keeps the focus and names the one that is chosen. */
export function CannedMenu({ id, offered, chosen, visitor, onPick }: CannedMenuProps) {
  const t = useTexts(staffTexts)
  const language = useLanguage()
  return (
    <div className="console-canned">
      <p role="status" className={offered.length > 0 ? 'sr-only' : 'p-3 text-sm text-ink-2'}>
        {offered.length > 0 ? t('cannedOffered', { count: offered.length }) : t('cannedNone')}
      </p>
      <div id={id} role="listbox" aria-label={t('canned')}>
        {offered.map((reply, index) => {
          const { text, language: written } = textFor(visitor, reply)
          return (
            <div
              key={reply.id_canned}
              id={optionId(id, index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              className="console-canned-option"
              // The field must not lose the focus before the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onPick(reply)}
            >
              <span className="font-bold">/{reply.shortcut}</span>
              <span className="console-excerpt text-ink-2" lang={written === language ? undefined : locales[written]}>
                {text}
              </span>
              {written !== visitor && <Badge tone="warn">{t('cannedFrenchOnly')}</Badge>}
            </div>
          )
        })}
      </div>
      <Link
        to="/admin/chat/replies"
        className="block p-2 text-sm text-brand underline"
        onMouseDown={(event) => event.preventDefault()}
      >
        {t('cannedManage')}
      </Link>
    </div>
  )
}

export const optionId = (listId: string, index: number) => `${listId}-${index}`
