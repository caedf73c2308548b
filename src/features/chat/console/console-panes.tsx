import { useEffect, useRef } from 'react'
import { Button } from '#src/ui/components/button.tsx'
import { CloseIcon } from '#src/ui/components/icons.tsx'
import { IconButton } from '#src/ui/components/icon-button.tsx'
import { Lamp } from '#src/ui/components/lamp.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { Badge } from '#src/ui/components/badge.tsx'
import type { StaffChat } from '../protocol.ts'
import { consoleTexts } from './console-texts.ts'
import { ConsoleComposer, ConsoleConversation } from './console-conversation.tsx'
import type { StaffSession } from './staff-session.ts'
import type { ConsoleState } from './console-state.ts'
import { useRecent } from './times.ts'
import type { Canned } from './canned-replies.tsx'

type ConsolePanesProps = Omit<ConsolePaneProps, 'chat' | 'isCurrent' | 'onFocus' | 'onClose' | 'onOpen'> & {
  chats: StaffChat[]
  /** Ids of the visible ones. */
  shown: number[]
  current: number
  onOpen: (id: number) => void
  onFocus: (id: number) => void
  onClose: (id: number) => void
}

/** The open conversations, side by side as far as the width allows. */
export function ConsolePanes({ chats, shown, current, onOpen, onFocus, onClose, ...pane }: ConsolePanesProps) {
  return (
    <div className="console-middle">
      {chats.length > 1 && <ConsoleTabs chats={chats} shown={shown} current={current} onOpen={onOpen} />}
      <div className="console-panes">
        {chats
          .filter(({ id }) => shown.includes(id))
          .map((chat) => (
            <ConsolePane
              key={chat.id}
              {...pane}
              chat={chat}
              isCurrent={chat.id === current}
              onFocus={() => onFocus(chat.id)}
              onClose={() => onClose(chat.id)}
              onOpen={onOpen}
            />
          ))}
      </div>
    </div>
  )
}

const typingShownMs = 4_000

type ConsolePaneProps = {
  chat: StaffChat
  state: ConsoleState
  session: StaffSession
  userId: number
  canWrite: boolean
  canned: Canned
  isCurrent: boolean
  isVisible: boolean
  onFocus: () => void
  onDetails: () => void
  onBack: () => void
  onClose: () => void
  onOpen: (id: number) => void
  attempt: (work: Promise<unknown>) => void
}

/** One of the open conversations. */
function ConsolePane(props: ConsolePaneProps) {
  const { chat, state, session, userId, canWrite, canned, isCurrent, isVisible, attempt } = props
  const { id } = chat
  const { client } = session
  const t = useTexts(consoleTexts)
  const isMine = chat.id_user === userId && chat.status === 'claimed'
  const isLeft = chat.status === 'claimed' && !state.users.some((user) => user.id_user === chat.id_user)
  const answering = state.answering[id]
  const isAnswered = useRecent(answering?.at, typingShownMs)
  const isTyping = useRecent(state.typing[id], typingShownMs)
  const name = chat.client_business || chat.client_name
  const returned = state.returned[id]

  useEffect(() => {
    if (isVisible && isMine && chat.unread > 0) client.markRead(id, chat.last_seq)
  }, [isVisible, isMine, chat.unread, chat.last_seq, id, client])

  return (
    <section
      id={paneId(id)}
      className="console-pane"
      aria-label={name}
      data-current={isCurrent || undefined}
      onFocus={props.onFocus}
    >
      <header className="console-pane-head">
        <Button variant="quiet" size="small" className="lg:hidden" onClick={props.onBack}>
          {t('back')}
        </Button>
        <h2 className="console-pane-name">
          <Lamp on={chat.visitor_online} className="me-3">
            <span className="sr-only">{t(chat.visitor_online ? 'there' : 'gone')}</span>
          </Lamp>
          {name}
        </h2>
        {canWrite && (chat.status === 'waiting' || isLeft) && (
          <Button size="small" onClick={() => attempt(session.claim(id))}>
            {t(isLeft ? 'takeOver' : 'claim')}
          </Button>
        )}
        <Button variant="quiet" size="small" className="lg:hidden" onClick={props.onDetails}>
          {t('details')}
        </Button>
        <IconButton
          className="max-lg:hidden"
          label={t('putAway', { name })}
          icon={<CloseIcon size={18} />}
          onClick={props.onClose}
        />
      </header>
      <ConsoleConversation
        chat={chat}
        client={client}
        isTyping={isTyping}
        answering={isAnswered ? (answering?.name ?? null) : null}
        onOpen={props.onOpen}
      />
      {canWrite && chat.status !== 'closed' && (
        <ConsoleComposer
          // A refused answer is read back into the input from the stored draft.
          key={returned?.count}
          client={client}
          chat={chat}
          canAnswer={isMine}
          canned={canned}
          returned={returned}
        />
      )}
    </section>
  )
}

const paneId = (id: number) => `chat-${id}`

/** Focuses the input, or the log without an input; on touch screens always the log, to keep the keyboard closed. */
export function focusPane(id: number) {
  requestAnimationFrame(() => {
    const pane = document.getElementById(paneId(id))
    const field = matchMedia('(pointer: fine)').matches ? pane?.querySelector('textarea') : null
    const target = field ?? pane?.querySelector<HTMLElement>('[role="log"]')
    target?.focus({ preventScroll: true })
  })
}

type ConsoleTabsProps = { chats: StaffChat[]; shown: number[]; current: number | null; onOpen: (id: number) => void }

/** Tabs of the open chats, visible or not. */
function ConsoleTabs({ chats, shown, current, onOpen }: ConsoleTabsProps) {
  const t = useTexts(consoleTexts)
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
