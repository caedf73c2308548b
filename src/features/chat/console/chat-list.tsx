import type { KeyboardEvent } from 'react'
import { useState, useEffect } from 'react'
import { Button } from '#src/ui/components/button.tsx'
import { useTexts, useLanguage } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { Badge } from '#src/ui/components/badge.tsx'
import { consoleTexts } from './console-texts.ts'
import { visitorDetailsTexts } from './visitor-details-texts.ts'
import type { StaffChat } from '../protocol.ts'
import type { StaffSession } from './staff-session.ts'
import type { Tab } from './console-state.ts'
import { chatsOf } from './console-state.ts'
import { useNow, formatWait, formatWhen } from './times.ts'

const tabs: Tab[] = ['waiting', 'mine', 'all']

type ConsoleListProps = {
  chats: StaffChat[]
  /** Older chats can be loaded. */
  more: boolean
  userId: number
  /** Has the right to answer, and is not available. */
  isAway: boolean
  current: number | null
  session: StaffSession
  onOpen: (id: number) => void
  onHelp: () => void
}

/** The queue, one's own chats, all of them, or the results of a search in the whole history. */
export function ConsoleList({ chats, more, userId, isAway, current, session, onOpen, onHelp }: ConsoleListProps) {
  const t = useTexts(consoleTexts)
  const [tab, setTab] = useState<Tab>('waiting')
  const now = useNow()
  const search = useSearch(session)
  const shown = search.isOn ? (search.found?.chats ?? []) : chatsOf(chats, tab, userId)
  const oldest = chatsOf(chats, 'all', userId).at(-1)

  return (
    <section className="console-list" aria-label={t('lists')}>
      <div className="console-list-head">
        <div className="flex flex-wrap gap-1" role="group" aria-label={t('lists')}>
          {tabs.map((one) => (
            <button
              key={one}
              type="button"
              className="console-tab"
              aria-pressed={!search.isOn && tab === one}
              onClick={() => {
                search.setText('')
                setTab(one)
              }}
            >
              {t(one)} {one !== 'all' && <span className="tabular">{chatsOf(chats, one, userId).length}</span>}
            </button>
          ))}
        </div>
        <input
          type="search"
          className="input console-search"
          aria-label={t('search')}
          placeholder={t('search')}
          value={search.text}
          maxLength={200}
          onChange={(event) => search.setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && search.text) event.stopPropagation()
            if (event.key === 'Escape') search.setText('')
          }}
        />
        <p role="status" className={search.found ? 'text-sm text-ink-2' : 'sr-only'}>
          {search.found &&
            (search.found.more
              ? t('foundMany', { count: search.found.chats.length })
              : t('found', { count: search.found.chats.length }))}
        </p>
      </div>
      <div className="console-list-rows">
        {shown.length === 0 && !search.isOn ? (
          <EmptyList tab={tab} isAway={isAway} />
        ) : (
          <ul onKeyDown={moveFocus}>
            {shown.map((chat) => (
              <li key={chat.id}>
                <ConsoleItem
                  chat={chat}
                  now={now}
                  isCurrent={chat.id === current}
                  isOwn={chat.id_user === userId}
                  onOpen={() => onOpen(chat.id)}
                />
              </li>
            ))}
          </ul>
        )}
        {!search.isOn && tab === 'all' && more && oldest && (
          <div className="p-4">
            <Button
              variant="secondary"
              size="small"
              wide
              onClick={() => void session.loadOlderChats(oldest.updated_at).catch(session.fail)}
            >
              {t('older')}
            </Button>
          </div>
        )}
        <ListLinks onHelp={onHelp} />
      </div>
    </section>
  )
}

function EmptyList({ tab, isAway }: { tab: Tab; isAway: boolean }) {
  const t = useTexts(consoleTexts)
  return (
    <div className="p-5 text-sm text-ink-2">
      <p className="font-bold text-ink">{t(tab === 'waiting' ? 'emptyTitle' : tab === 'mine' ? 'emptyMine' : 'emptyAll')}</p>
      {tab === 'waiting' && <p>{t('empty')}</p>}
      {tab === 'waiting' && isAway && <p className="mt-2">{t('emptyAway')}</p>}
    </div>
  )
}

function ListLinks({ onHelp }: { onHelp: () => void }) {
  const t = useTexts(consoleTexts)
  const tool = useTexts(visitorDetailsTexts)
  return (
    <nav className="console-links" aria-label={t('around')}>
      <Link to="/admin/chat/replies" className="console-link">
        {tool('repliesTitle')}
      </Link>
      <Link to="/admin/chat/blocks" className="console-link">
        {tool('blocksTitle')}
      </Link>
      <button type="button" className="console-link" onClick={onHelp}>
        {t('shortcuts')}
      </button>
    </nav>
  )
}

/** Arrows, Home and End move the focus in the list. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>) {
  if (event.altKey) return
  const items = [...event.currentTarget.querySelectorAll('button')]
  const at = items.findIndex((item) => item === document.activeElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
  if (to === undefined) return
  items[to]?.focus()
  event.preventDefault()
}

type ConsoleItemProps = { chat: StaffChat; now: number; isCurrent: boolean; isOwn: boolean; onOpen: () => void }

/** One chat in a list: name, time, language, page, last message. */
function ConsoleItem({ chat, now, isCurrent, isOwn, onOpen }: ConsoleItemProps) {
  const t = useTexts(consoleTexts)
  const excerpt = chat.found ?? chat.last_message
  return (
    <button type="button" className="console-item" aria-current={isCurrent ? 'true' : undefined} onClick={onOpen}>
      <span className="flex items-baseline justify-between gap-3">
        <span className="font-bold">{chat.client_business || chat.client_name}</span>
        <ItemTime chat={chat} now={now} />
      </span>
      <span className="flex items-center justify-between gap-3 text-sm text-ink-2">
        <span className={chat.found ? 'console-found' : 'console-excerpt'}>
          {chat.language.toUpperCase()} · {chat.page || '/'} · {excerpt || chat.client_name}
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
  const t = useTexts(consoleTexts)
  const language = useLanguage()
  if (chat.status !== 'waiting') {
    return <span className="tabular text-sm whitespace-nowrap text-ink-2">{formatWhen(language, chat.updated_at, now)}</span>
  }
  const waited = formatWait(Math.max(0, Math.floor((now - Date.parse(chat.created_at)) / 1_000)), language)
  return (
    <span className="tabular text-sm font-bold whitespace-nowrap text-warn">
      <span className="sr-only">{t('waits', { time: waited })}</span>
      <span aria-hidden="true">{waited}</span>
    </span>
  )
}

const typingPause = 300
const shortest = 2

type Found = { text: string; chats: StaffChat[]; more: boolean }

/** Searches the whole history while one types. */
function useSearch(session: StaffSession) {
  const [text, setText] = useState('')
  const [found, setFound] = useState<Found | null>(null)
  const wanted = text.trim()
  useEffect(() => {
    if (wanted.length < shortest) return setFound(null)
    let isOver = false
    const timer = setTimeout(() => {
      session.search(wanted).then(
        ({ chats, more }) => !isOver && setFound({ text: wanted, chats, more }),
        (error: unknown) => !isOver && session.fail(error),
      )
    }, typingPause)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [wanted, session])
  return { text, setText, found, isOn: wanted.length >= shortest }
}
