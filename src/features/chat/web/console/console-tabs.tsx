import { useEffect, useRef } from 'react'
import { Badge } from '#src/ui/badge.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { staffTexts } from '../../staff-texts.ts'
import type { StaffChat } from '../../values.ts'

type ConsoleTabsProps = { chats: StaffChat[]; shown: number[]; current: number | null; onOpen: (id: number) => void }

/** The chats that are open, in sight or not: a click brings one in sight. */
export function ConsoleTabs({ chats, shown, current, onOpen }: ConsoleTabsProps) {
  const t = useTexts(staffTexts)
  const tabs = useRef<HTMLElement>(null)
  useEffect(() => {
    const tab = tabs.current?.querySelector('[aria-current]')
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current, chats.length, shown.length])
  return (
    <nav ref={tabs} className="console-tabs" aria-label={t('openChats')}>
      {chats.map((chat) => (
        <button
          key={chat.id}
          type="button"
          className="console-open-tab"
          aria-current={chat.id === current ? 'true' : undefined}
          data-shown={shown.includes(chat.id) || undefined}
          onClick={() => onOpen(chat.id)}
        >
          <span className="console-excerpt">{chat.client_business || chat.client_name}</span>
          {chat.unread > 0 && chat.status !== 'closed' && (
            <Badge tone="count">
              <span aria-hidden="true">{chat.unread}</span>
              <span className="sr-only">{t('unread', { count: chat.unread })}</span>
            </Badge>
          )}
        </button>
      ))}
    </nav>
  )
}
