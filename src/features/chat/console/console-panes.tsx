import { useEffect, useRef, useSyncExternalStore } from 'react'
import { Button } from '#src/ui/components/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { Badge } from '#src/ui/components/badge.tsx'
import type { StaffChat } from '../protocol.ts'
import { consoleTexts } from './console-texts.ts'
import './conversation.css'
import './panes.css'
import { ConsoleComposer } from './composer.tsx'
import { useFileDrop } from './composer-files.tsx'
import { ConsoleConversation } from './console-conversation.tsx'
import { useChatName, useStaffChat } from './staff-chat.tsx'
import type { StaffSession } from './staff-session.ts'
import type { ConsoleState } from './console-state.ts'
import { answerPlace, markOf, operationKey, paneId, unanswered, unansweredSince } from './console-state.ts'
import { ConversationHead } from './conversation-head.tsx'
import { typingShownMs, useRecent } from './times.ts'
import type { DraftKind } from './drafts.ts'
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
  onEnded: () => void
  onBack: () => void
  onClose: () => void
  onOpen: (id: number) => void
  mayTakeOver: boolean
}

/** One of the open conversations. */
function ConsolePane(props: ConsolePaneProps) {
  const { chat, state, session, userId, canWrite, canned, isCurrent, isVisible, mayTakeOver } = props
  const { id } = chat
  const { client } = session
  const isMine = chat.id_user === userId && chat.status === 'claimed'
  const readConversation = () => client.conversation(id)
  const conversation = useSyncExternalStore(client.subscribe, readConversation, readConversation)
  const answering = state.answering[id]
  const isAnswered = useRecent(answering?.at, typingShownMs)
  const isTyping = useRecent(state.typing[id], typingShownMs)
  const name = useChatName()(chat)
  const place = answerPlace(chat, { userId, canWrite, users: state.users })

  const drop = useFileDrop((files) => {
    if (place !== 'own' && place !== 'free') return
    session.files.add(id, files)
    focusPane(id)
  })

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
      {...drop}
    >
      <ConversationHead
        chat={chat}
        session={session}
        state={state}
        userId={userId}
        place={place}
        mayTakeOver={mayTakeOver}
        unansweredSince={unansweredSince(conversation.messages)}
        onClaimed={() => focusPane(id)}
        onEnded={props.onEnded}
        onDetails={props.onDetails}
        onBack={props.onBack}
        onClose={props.onClose}
      />
      {chat.offer?.to.id_user === userId && <Offer chat={chat} session={session} state={state} />}
      <ConsoleConversation
        chat={chat}
        session={session}
        isTyping={isTyping}
        answering={isAnswered ? (answering?.name ?? null) : null}
        onOpen={props.onOpen}
      />
      <ConsoleComposer
        chat={chat}
        session={session}
        state={state}
        place={place}
        mayTakeOver={mayTakeOver}
        canned={canned}
        asked={unanswered(conversation.messages)
          .map((one) => one.message)
          .join('\n')}
      />
    </section>
  )
}

/** A colleague offers this conversation: who accepts it has it. */
function Offer({ chat, session, state }: Pick<ConsolePaneProps, 'chat' | 'session' | 'state'>) {
  const t = useTexts(consoleTexts)
  const { id, offer } = chat
  if (!offer) return null
  const isBusy = (operation: 'accept' | 'decline') => state.pending.includes(operationKey(operation, id))
  return (
    <div role="alert" translate="no" className="console-offer">
      <p>
        <span>{t('offered', { name: offer.from.user_name })}</span>
        {offer.note && <span className="block whitespace-pre-wrap">{offer.note}</span>}
      </p>
      <Button
        size="small"
        data-action="accept"
        busy={isBusy('accept')}
        onClick={() => void session.accept(id).then((isDone) => isDone && focusPane(id))}
      >
        {t('accept')}
      </Button>
      <Button variant="secondary" size="small" busy={isBusy('decline')} onClick={() => void session.decline(id)}>
        {t('decline')}
      </Button>
    </div>
  )
}

/**
 * Focuses what accepts an offer, else a field, or the log without one; on touch screens always the log, to keep the keyboard closed. A field comes into
 * sight, which it is not at a high zoom.
 */
export function focusPane(id: number, kind: DraftKind = 'answer') {
  requestAnimationFrame(() => {
    const pane = document.getElementById(paneId(id))
    const field = matchMedia('(pointer: fine)').matches ? pane?.querySelector(`[data-field="${kind}"]`) : null
    const accept = pane?.querySelector('[data-action="accept"]')
    const log = pane?.querySelector('[role="log"]')
    const target = accept ?? field ?? log
    if (target instanceof HTMLElement) target.focus({ preventScroll: target === log })
  })
}

/** Presses one of a pane's actions, where it is offered. */
export function pressAction(id: number, action: 'transfer' | 'end' | 'suggestion1' | 'suggestion2') {
  const button = document.getElementById(paneId(id))?.querySelector(`[data-action="${action}"]`)
  if (button instanceof HTMLElement) button.click()
}

type ConsoleTabsProps = { chats: StaffChat[]; shown: number[]; current: number | null; onOpen: (id: number) => void }

/** Tabs of the open chats, visible or not. */
function ConsoleTabs({ chats, shown, current, onOpen }: ConsoleTabsProps) {
  const t = useTexts(consoleTexts)
  const staff = useStaffChat()
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
          <span className="console-excerpt" translate="no">
            {chat.client_business || chat.client_name}
          </span>
          <span className="whitespace-nowrap">{markOf(chat, staff?.state.chats ?? [], (id) => t('number', { id }))}</span>
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
