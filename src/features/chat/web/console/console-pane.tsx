import { useEffect } from 'react'
import { Button } from '#src/ui/button.tsx'
import { CloseIcon } from '#src/ui/icons.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Lamp } from '#src/ui/lamp.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { staffTexts } from '../../staff-texts.ts'
import type { StaffChat } from '../../values.ts'
import { ConsoleComposer } from './console-composer.tsx'
import { ConsoleConversation } from './console-conversation.tsx'
import type { ConsoleLine } from './console-line.ts'
import type { ConsoleState } from './console-state.ts'
import { useRecent } from './console-times.ts'
import type { Canned } from './use-canned.ts'

const typingShownMs = 4_000

export type ConsolePaneProps = {
  chat: StaffChat
  state: ConsoleState
  line: ConsoleLine
  userId: number
  canWrite: boolean
  canned: Canned
  isCurrent: boolean
  isSeen: boolean
  onFocus: () => void
  onDetails: () => void
  onBack: () => void
  onPutAway: () => void
  onOpen: (id: number) => void
  attempt: (work: Promise<unknown>) => void
}

/** One conversation among those that stand side by side. */
export function ConsolePane(props: ConsolePaneProps) {
  const { chat, state, line, userId, canWrite, canned, isCurrent, isSeen, attempt } = props
  const { id } = chat
  const t = useTexts(staffTexts)
  const isMine = chat.id_user === userId && chat.status === 'claimed'
  const isLeft = chat.status === 'claimed' && !state.users.some((user) => user.id_user === chat.id_user)
  const answering = state.answering[id]
  const isAnswered = useRecent(answering?.at, typingShownMs)
  const isTyping = useRecent(state.typing[id], typingShownMs)
  const name = chat.client_business || chat.client_name
  const returned = state.returned[id]

  useEffect(() => {
    if (isSeen && isMine && chat.unread > 0) line.markRead(id, chat.last_seq)
  }, [isSeen, isMine, chat.unread, chat.last_seq, id, line])

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
          <Lamp on={chat.visitor_online} className="mr-3">
            <span className="sr-only">{t(chat.visitor_online ? 'there' : 'gone')}</span>
          </Lamp>
          {name}
        </h2>
        {canWrite && (chat.status === 'waiting' || isLeft) && (
          <Button size="small" onClick={() => attempt(line.claim(id))}>
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
          onClick={props.onPutAway}
        />
      </header>
      <ConsoleConversation
        chat={chat}
        messages={state.messages[id] ?? []}
        unsent={state.unsent[id] ?? []}
        isTyping={isTyping}
        answering={isAnswered ? (answering?.name ?? null) : null}
        onRetry={(message) => attempt(line.deliver(id, message))}
        page={state.pages[id]}
        onOlder={(beforeId) => line.loadPage(id, beforeId)}
        onOpen={props.onOpen}
      />
      {canWrite && chat.status !== 'closed' && (
        <ConsoleComposer
          // A refused answer comes back into the field from the tab's memory.
          key={returned?.client_message_id ?? ''}
          chat={chat}
          canAnswer={isMine}
          canned={canned}
          returned={returned}
          onSend={(message, internal) => attempt(line.send(id, message, internal))}
          onTyping={() => line.tellTyping(id)}
        />
      )}
    </section>
  )
}

const paneId = (id: number) => `chat-${id}`

/** Goes to where one writes in a chat, or to what was said where one may not; a phone's keyboard stays down. */
export function focusPane(id: number) {
  requestAnimationFrame(() => {
    const pane = document.getElementById(paneId(id))
    const field = matchMedia('(pointer: fine)').matches ? pane?.querySelector('textarea') : null
    const target = field ?? pane?.querySelector<HTMLElement>('[role="log"]')
    target?.focus({ preventScroll: true })
  })
}
