import { formatDateTime } from '#src/lib/time/date-time.ts'
import { pickVariant } from '#src/lib/language/language.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { panelEndingTexts } from './panel-ending-texts.ts'
import type { UpdateNotice } from '../protocol.ts'

/** A system update that is announced to visitors. */
export function UpdateNoticeText({ update }: { update: UpdateNotice }) {
  const t = useTexts(panelEndingTexts)
  const language = useLanguage()
  const message = pickVariant(language, update.message, update.message_en)
  const date = formatDateTime(update.next_update, language, { month: 'long' })
  return (
    <p className="border-t border-line bg-surface px-5 py-3 text-sm">
      <span>{t('update', { date })}</span> {message.text && <span lang={message.lang}>{message.text}</span>}
    </p>
  )
}
