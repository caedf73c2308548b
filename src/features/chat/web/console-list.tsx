import type { KeyboardEvent } from 'react'
import { useEffect, useState } from 'react'
import { locales } from '#src/lib/language.ts'
import { Badge } from '#src/ui/badge.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { staffTexts } from '../staff-texts.ts'
import type { StaffChat } from '../values.ts'
import { clockRefresh } from '../values.ts'
import type { Tab } from './console-state.ts'
import { chatsOf } from './console-state.ts'

const tabs: Tab[] = ['waiting', 'mine', 'all']

type ConsoleListProps = { chats: StaffChat[]; userId: number; current: number | null; onOpen: (id: number) => void }

/** Queue, mine and all; arrows go from one chat to the next. */
export function ConsoleList({ chats, userId, current, onOpen }: ConsoleListProps) {
  const t = useTexts(staffTexts)
  const [tab, setTab] = useState<Tab>('waiting')
  const now = useNow()
  const shown = chatsOf(chats, tab, userId)

  const handleKey = (event: KeyboardEvent<HTMLUListElement>) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    const items = [...event.currentTarget.querySelectorAll('button')]
    const at = items.findIndex((item) => item === document.activeElement)
    items[at + step]?.focus()
    event.preventDefault()
  }

  return (
    <section className="console-list" aria-label={t('lists')}>
      <div className="flex gap-1 border-b border-line p-3" role="group" aria-label={t('lists')}>
        {tabs.map((one) => (
          <button key={one} type="button" className="console-tab" aria-pressed={tab === one} onClick={() => setTab(one)}>
            {t(one)} {one !== 'all' && <span className="tabular">{chatsOf(chats, one, userId).length}</span>}
          </button>
        ))}
      </div>
      {shown.length === 0 ? (
        <div className="p-5 text-sm text-ink-2">
          <p className="font-bold text-ink">{t('emptyTitle')}</p>
          <p>{t('empty')}</p>
        </div>
      ) : (
        <ul onKeyDown={handleKey}>
          {shown.map((chat) => (
            <li key={chat.id}>
              <button
                type="button"
                className="console-item"
                aria-current={chat.id === current ? 'true' : undefined}
                onClick={() => onOpen(chat.id)}
              >
                <span className="flex items-baseline justify-between gap-3">
                  <span className="font-bold">{chat.client_business || chat.client_name}</span>
                  <ListTime chat={chat} now={now} />
                </span>
                <span className="flex items-center justify-between gap-3 text-sm text-ink-2">
                  <span className="console-excerpt">
                    {chat.language.toUpperCase()} · {chat.page || '/'} · {chat.last_message || chat.client_name}
                  </span>
                  {chat.unread > 0 && (
                    <Badge tone="count">
                      <span aria-hidden="true">{chat.unread}</span>
                      <span className="sr-only">{t('unread', { count: chat.unread })}</span>
                    </Badge>
                  )}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function ListTime({ chat, now }: { chat: StaffChat; now: number }) {
  const t = useTexts(staffTexts)
  const language = useLanguage()
  if (chat.status !== 'waiting') {
    return <span className="tabular text-sm text-ink-2">{formatClock(language, chat.updated_at)}</span>
  }
  const seconds = Math.max(0, Math.floor((now - Date.parse(chat.created_at)) / 1_000))
  const waited = seconds < 60 ? `${seconds}\u00a0s` : `${Math.floor(seconds / 60)}\u00a0min`
  return (
    <span className="tabular text-sm font-bold text-warn">
      <span className="sr-only">{t('waits', { time: waited })}</span>
      <span aria-hidden="true">{waited}</span>
    </span>
  )
}

/** HH:mm of an instant, as both sides of a chat show it (spec.md 2.5). */
export function formatClock(language: 'fr' | 'en', instant: string) {
  return new Intl.DateTimeFormat(locales[language], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
    .format(new Date(instant))
    .replace(/\s*h\s*/, ':')
}

function useNow() {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), clockRefresh)
    return () => clearInterval(timer)
  }, [])
  return now
}
