import { Badge } from '#src/ui/badge.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { staffTexts } from '../../staff-texts.ts'
import type { StaffChat } from '../../values.ts'
import { formatWait, formatWhen } from './console-times.ts'

type ConsoleItemProps = { chat: StaffChat; now: number; isCurrent: boolean; isOwn: boolean; onOpen: () => void }

/** One chat in a list: who, since when, in which language, from which page, the last words. */
export function ConsoleItem({ chat, now, isCurrent, isOwn, onOpen }: ConsoleItemProps) {
  const t = useTexts(staffTexts)
  const words = chat.found ?? chat.last_message
  return (
    <button type="button" className="console-item" aria-current={isCurrent ? 'true' : undefined} onClick={onOpen}>
      <span className="flex items-baseline justify-between gap-3">
        <span className="font-bold">{chat.client_business || chat.client_name}</span>
        <ItemTime chat={chat} now={now} />
      </span>
      <span className="flex items-center justify-between gap-3 text-sm text-ink-2">
        <span className={chat.found ? 'console-found' : 'console-excerpt'}>
          {chat.language.toUpperCase()} · {chat.page || '/'} · {words || chat.client_name}
        </span>
        {chat.unread > 0 && chat.status !== 'closed' && (
          <Badge tone="count">
            <span aria-hidden="true">{chat.unread}</span>
            <span className="sr-only">{t('unread', { count: chat.unread })}</span>
          </Badge>
        )}
      </span>
      {!isOwn && chat.status === 'claimed' && chat.user_name && (
        <span className="text-sm text-ink-2">{t('answeredBy', { name: chat.user_name })}</span>
      )}
    </button>
  )
}

function ItemTime({ chat, now }: { chat: StaffChat; now: number }) {
  const t = useTexts(staffTexts)
  const language = useLanguage()
  if (chat.status !== 'waiting') {
    return <span className="tabular text-sm whitespace-nowrap text-ink-2">{formatWhen(language, chat.updated_at, now)}</span>
  }
  const waited = formatWait(Math.max(0, Math.floor((now - Date.parse(chat.created_at)) / 1_000)))
  return (
    <span className="tabular text-sm font-bold whitespace-nowrap text-warn">
      <span className="sr-only">{t('waits', { time: waited })}</span>
      <span aria-hidden="true">{waited}</span>
    </span>
  )
}
