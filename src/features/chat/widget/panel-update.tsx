import { formatDateTime } from '#src/lib/time/date-time.ts'
import { pickVariant } from '#src/lib/language/language.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { afterTexts } from './panel-ending-texts.ts'
import type { UpdateNotice } from '../protocol.ts'

/** A system update that visitors are told of. */
export function UpdateLine({ update }: { update: UpdateNotice }) {
  const t = useTexts(afterTexts)
  const language = useLanguage()
  const said = pickVariant(language, update.message, update.message_en)
  const date = formatDateTime(update.next_update, language, { month: 'long' })
  return (
    <p className="border-t border-line bg-surface px-5 py-3 text-sm">
      <span>{t('update', { date })}</span> {said.text && <span lang={said.lang}>{said.text}</span>}
    </p>
  )
}
