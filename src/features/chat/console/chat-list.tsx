import type { KeyboardEvent } from 'react'
import { useState, useEffect, useRef, useSyncExternalStore } from 'react'
import { Button } from '#src/ui/components/button.tsx'
import { useTexts, useLanguage } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { Badge } from '#src/ui/components/badge.tsx'
import { pathIcon } from '#src/ui/components/icon.tsx'
import { consoleTexts } from './console-texts.ts'
import { visitorDetailsTexts } from './visitor-details-texts.ts'
import type { StaffChat } from '../protocol.ts'
import { useChatName } from './staff-chat.tsx'
import type { StaffSession } from './staff-session.ts'
import type { ConsoleState, Tab } from './console-state.ts'
import { chatsOf, isOwnChat, listOf, operationKey, sectionOf, speaks, unansweredSince } from './console-state.ts'
import { typingShownMs, useNow, useRecent, formatTimer, formatWait, formatWhen } from './times.ts'
import './chat-list.css'

const tabs: Tab[] = ['waiting', 'mine', 'all']

type ConsoleListProps = {
  state: ConsoleState
  userId: number
  canWrite: boolean
  current: number | null
  session: StaffSession
  onOpen: (id: number) => void
  onHelp: () => void
}

/** One's own chats on top, then the queue or all of them; or the results of a search in the whole history. */
export function ConsoleList({ state, userId, canWrite, current, session, onOpen, onHelp }: ConsoleListProps) {
  const t = useTexts(consoleTexts)
  const { chats, more } = state
  const nameOfChat = useChatName()
  const [tab, setTab] = useState<Tab>('waiting')
  const now = useNow()
  const search = useSearch(session)
  const sorted = search.isOn ? (search.found?.chats ?? []) : listOf(chats, tab, userId)
  const { shown, above, release, handlers } = useHeldOrder(search.isOn ? 'search' : tab, sorted, search.isOn ? sorted : chats)
  const oldest = chatsOf(chats, 'all', userId).at(-1)
  const [next] = chatsOf(chats, 'waiting', userId)
  const rows = useRef<HTMLDivElement>(null)

  return (
    <section className="console-list" aria-label={t('lists')}>
      <div className="console-list-head">
        <div className="flex flex-wrap" role="group" aria-label={t('lists')} translate="no">
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
              <span>{t(one)}</span> {one !== 'all' && <span className="tabular">{chatsOf(chats, one, userId).length}</span>}
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
      <div ref={rows} className="console-list-rows" {...handlers}>
        <p role="status" className={above > 0 ? 'console-above' : 'sr-only'}>
          {above > 0 && (
            <button
              type="button"
              onClick={() => {
                release()
                rows.current?.scrollTo({ top: 0 })
              }}
            >
              {t('above', { count: above })}
            </button>
          )}
        </p>
        {shown.length > 0 && (
          <ul onKeyDown={moveFocus}>
            {shown.map((chat, index) => (
              <li key={chat.id}>
                {!search.isOn && <SectionTitle chat={chat} before={shown[index - 1]} tab={tab} userId={userId} />}
                <ConsoleItem
                  chat={chat}
                  state={state}
                  session={session}
                  now={now}
                  isCurrent={chat.id === current}
                  isOwn={isOwnChat(chat, userId)}
                  isSpoken={speaks(state.users, userId, chat)}
                  onOpen={() => onOpen(chat.id)}
                />
              </li>
            ))}
          </ul>
        )}
        {!search.isOn &&
          !shown.some((chat) => sectionOf(chat, userId) === 'others') &&
          (tab !== 'mine' || shown.length === 0) && <EmptyList tab={tab} isAway={canWrite && !state.available} />}
        {!search.isOn && tab === 'all' && more && oldest && (
          <div className="p-4">
            <Button
              variant="secondary"
              size="small"
              wide
              onClick={() => void session.loadOlderChats(oldest.updated_at).catch((error: unknown) => session.fail(error))}
            >
              {t('older')}
            </Button>
          </div>
        )}
        <ListLinks onHelp={onHelp} />
      </div>
      {canWrite && next && (
        <div className="console-list-foot" translate="no">
          <Button
            wide
            busy={state.pending.includes(operationKey('claim', next.id))}
            onClick={() => {
              onOpen(next.id)
              void session.claim(next.id)
            }}
          >
            <span className="truncate text-sm">{t('takeNext', { name: nameOfChat(next) })}</span>{' '}
            <kbd className="console-key">Alt+P</kbd>
          </Button>
        </div>
      )}
    </section>
  )
}

type SectionTitleProps = { chat: StaffChat; before: StaffChat | undefined; tab: Tab; userId: number }

/** Above the first chat of a section. */
function SectionTitle({ chat, before, tab, userId }: SectionTitleProps) {
  const t = useTexts(consoleTexts)
  const section = sectionOf(chat, userId)
  if ((before && sectionOf(before, userId) === section) || (section === 'others' && tab !== 'waiting')) return null
  const titles = { offered: 'offeredTitle', own: 'ownTitle', others: 'queueTitle' } as const
  return <p className="console-list-title">{t(titles[section])}</p>
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

type ConsoleItemProps = {
  chat: StaffChat
  state: ConsoleState
  session: StaffSession
  now: number
  isCurrent: boolean
  isOwn: boolean
  /** Its language is among one's own. */
  isSpoken: boolean
  onOpen: () => void
}

/** One chat in a list: name, time, last message, and what distinguishes two visitors of one name. */
function ConsoleItem({ chat, state, session, now, isCurrent, isOwn, isSpoken, onOpen }: ConsoleItemProps) {
  const t = useTexts(consoleTexts)
  const { client, drafts } = session
  const isTyping = useRecent(state.typing[chat.id], typingShownMs)
  const unsent = useSyncExternalStore(
    client.subscribe,
    () => client.conversation(chat.id).unsent.length,
    () => 0,
  )
  const hasDraft = useSyncExternalStore(
    drafts.subscribe,
    () => drafts.has(chat.id),
    () => false,
  )
  const excerpt = chat.found ?? chat.last_message
  const identity = [
    t('number', { id: chat.id }),
    chat.client_business && chat.client_name,
    chat.client_email,
    chat.language.toUpperCase(),
    chat.page || '/',
  ]
  return (
    <button type="button" className="console-item" aria-current={isCurrent ? 'true' : undefined} onClick={onOpen}>
      {chat.status !== 'closed' && <PresenceLamp chat={chat} />}
      <span className="flex items-baseline justify-between gap-3">
        <span className="console-item-name line-clamp-2 font-bold wrap-anywhere" translate="no">
          {chat.client_business || chat.client_name}
        </span>
        <ItemTime
          chat={chat}
          now={now}
          since={isOwn ? unansweredSince(client.conversation(chat.id).messages) : null}
          warnAfterMs={state.silenceMs}
        />
      </span>
      <span className="flex items-center justify-between gap-3 text-sm text-ink-2">
        <span className={chat.found ? 'console-found' : 'console-excerpt'}>
          {isTyping ? t('typing', { name: chat.client_name }) : excerpt || chat.client_name}
        </span>
        {chat.unread > 0 && chat.status !== 'closed' && (
          <Badge tone="count">
            <span aria-hidden="true">{chat.unread}</span>
            <span className="sr-only">{t('unread', { count: chat.unread })}</span>
          </Badge>
        )}
      </span>
      <span className="console-excerpt text-xs text-ink-2" translate="no">
        {identity.filter(Boolean).join(' · ')}
      </span>
      {(unsent > 0 || hasDraft) && (
        <span className="text-xs font-bold text-warn">{unsent > 0 ? t('unsent', { count: unsent }) : t('draft')}</span>
      )}
      {chat.status !== 'closed' && !isSpoken && (
        <span className="text-xs font-bold text-warn">{t(chat.language === 'fr' ? 'notInFrench' : 'notInEnglish')}</span>
      )}
      {chat.visitor === 'gone' && chat.status !== 'closed' && (
        <span className="console-item-left text-xs text-ink-2">
          <DoorIcon size={16} />
          <span>{t('leftReachable')}</span>
        </span>
      )}
      {!isOwn && chat.status === 'claimed' && chat.user_name && (
        <span className="text-xs text-ink-2">{t('answeredBy', { name: chat.user_name })}</span>
      )}
    </button>
  )
}

/** Green while the visitor is there, amber while they wait for somebody, hollow once they left. */
function PresenceLamp({ chat }: { chat: StaffChat }) {
  const look = chat.visitor === 'gone' ? 'lamp-off' : chat.status === 'waiting' ? 'console-lamp-waiting' : ''
  return <span className={`lamp ${look}`} aria-hidden="true" />
}

export const DoorIcon = pathIcon('M5 20V4h9v16M3 20h13m-5-8h.01M17 9l3 3-3 3m3-3h-6')

type ItemTimeProps = { chat: StaffChat; now: number; since: string | null; warnAfterMs: number }

/** How long the visitor has waited; otherwise when something happened last. */
function ItemTime({ chat, now, since, warnAfterMs }: ItemTimeProps) {
  const t = useTexts(consoleTexts)
  const language = useLanguage()
  // Nobody waits in front of a page that they left.
  const start = chat.visitor === 'gone' ? null : chat.status === 'waiting' ? chat.waiting_since : since
  if (!start) {
    const at = chat.gone_at ?? chat.updated_at
    return <span className="tabular text-sm whitespace-nowrap text-ink-2">{formatWhen(language, at, now)}</span>
  }
  const waited = Math.max(0, now - Date.parse(start))
  return (
    <span className={`tabular text-sm whitespace-nowrap ${waited >= warnAfterMs ? 'font-bold text-warn' : 'text-ink-2'}`}>
      <span className="sr-only">{t('waits', { time: formatWait(Math.floor(waited / 1_000), language) })}</span>
      <span aria-hidden="true">{formatTimer(waited, language)}</span>
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
        (error: unknown) => {
          if (!isOver) session.fail(error)
        },
      )
    }, typingPause)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [wanted, session])
  return { text, setText, found, isOn: wanted.length >= shortest }
}

/**
 * A list in the order that it had when the pointer or the focus came into it: rows stay where they are although they would
 * move or leave. What belongs below them is added; `above` counts the rest of what came since.
 */
export function holdOrder(held: readonly number[], sorted: readonly StaffChat[], all: readonly StaffChat[]) {
  if (held.length === 0) return { shown: sorted, above: 0 }
  const last = sorted.findLastIndex((one) => held.includes(one.id))
  const fresh = sorted.flatMap((one, index) => (held.includes(one.id) ? [] : [{ one, isBelow: index > last }]))
  return {
    shown: [
      ...held.flatMap((id) => all.find((one) => one.id === id) ?? []),
      ...fresh.flatMap(({ one, isBelow }) => (isBelow ? [one] : [])),
    ],
    above: fresh.filter(({ isBelow }) => !isBelow).length,
  }
}

const notHeld: readonly number[] = []

/** Holds the order of one list (`name`) while the pointer or the focus is in the element that takes `handlers`. */
function useHeldOrder(name: string, sorted: readonly StaffChat[], all: readonly StaffChat[]) {
  const [held, setHeld] = useState({ name, ids: notHeld })
  const inside = useRef({ pointer: false, focus: false })
  const ids = sorted.map((one) => one.id)

  const change = (part: 'pointer' | 'focus', isInside: boolean) => {
    inside.current[part] = isInside
    const isHeld = inside.current.pointer || inside.current.focus
    setHeld((before) => ({ name, ids: !isHeld ? notHeld : before.name === name && before.ids.length > 0 ? before.ids : ids }))
  }
  return {
    ...holdOrder(held.name === name ? held.ids : notHeld, sorted, all),
    release: () => setHeld({ name, ids }),
    handlers: {
      onPointerEnter: () => change('pointer', true),
      onPointerLeave: () => change('pointer', false),
      onFocus: () => change('focus', true),
      onBlur: ({ currentTarget, relatedTarget }: { currentTarget: Element; relatedTarget: EventTarget | null }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) change('focus', false)
      },
    },
  }
}
