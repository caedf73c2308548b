import { useEffect, useState } from 'react'
import { company } from '#company/company.ts'
import { hasRight } from '#src/features/groups/values.ts'
import { useProfile } from '#src/features/site/web/admin-layout.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { Toast } from '#src/ui/toast.tsx'
import { staffTexts } from '../staff-texts.ts'
import type { ChatErrorCode } from '../values.ts'
import { ConsoleComposer } from './console-composer.tsx'
import { ConsoleConversation } from './console-conversation.tsx'
import { ConsoleHead } from './console-head.tsx'
import { ConsoleList } from './console-list.tsx'
import { ConsolePerson } from './console-person.tsx'
import { StaffRefusal, useConsole } from './use-console.ts'
import './console.css'

type View = 'list' | 'chat' | 'person'
const typingShownMs = 4_000

const reasons: Record<ChatErrorCode, keyof (typeof staffTexts)['fr']> = {
  invalid: 'reasonInvalid',
  unknown_chat: 'reasonUnknown',
  closed: 'reasonClosed',
  no_users: 'reasonUsers',
  limited: 'reasonLimited',
  forbidden: 'reasonForbidden',
  taken: 'reasonTaken',
  answered: 'reasonAnswered',
  blocked: 'reasonForbidden',
  not_connected: 'lost',
  broken: 'reasonBroken',
}

/** The technician's console: queue, conversation, person. */
export default function AdminChatPage() {
  const t = useTexts(staffTexts)
  const profile = useProfile()
  const canWrite = hasRight(profile.rights, 'chat', 'read_write')
  const line = useConsole()
  const { state, markRead } = line
  const [current, setCurrent] = useState<number | null>(null)
  const [view, setView] = useState<View>('list')
  const [refusal, setRefusal] = useState<ChatErrorCode | null>(null)
  const chat = state.chats.find((one) => one.id === current)
  const isMine = chat?.id_user === profile.id_user
  const isTyping = useRecent(current === null ? undefined : state.typing[current])
  const waiting = state.chats.filter((one) => one.status === 'waiting').length

  useEffect(() => {
    const title = `${t('title')} | ${company.name}`
    document.title = waiting > 0 ? `(${waiting}) ${title}` : title
  }, [waiting, t])

  useEffect(() => {
    if (chat && isMine && chat.unread > 0 && document.visibilityState === 'visible') markRead(chat.id, chat.last_seq)
  }, [chat, isMine, markRead])

  const attempt = (work: Promise<unknown>) => {
    work.catch((error: unknown) => {
      console.warn(error)
      setRefusal(error instanceof StaffRefusal ? error.code : 'broken')
    })
  }
  const handleOpen = (id: number) => {
    setCurrent(id)
    setView('chat')
    attempt(line.open(id))
  }

  return (
    <div className="console" data-view={view}>
      <ConsoleHead state={state} canWrite={canWrite} onAvailable={(available) => attempt(line.setAvailable(available))} />
      <div className="console-columns">
        <ConsoleList chats={state.chats} userId={profile.id_user} current={current} onOpen={handleOpen} />
        {chat ? (
          <>
            <section className="console-middle" aria-label={chat.client_business || chat.client_name}>
              <div className="flex justify-between gap-3 border-b border-line px-3 py-2 lg:hidden">
                <Button variant="quiet" size="small" onClick={() => setView('list')}>
                  {t('back')}
                </Button>
                <Button variant="quiet" size="small" onClick={() => setView('person')}>
                  {t('details')}
                </Button>
              </div>
              <ConsoleConversation
                chat={chat}
                messages={state.messages[chat.id] ?? []}
                unsent={state.unsent[chat.id] ?? []}
                isTyping={isTyping}
                onRetry={(message) => attempt(line.deliver(chat.id, message))}
              />
              {canWrite && chat.status !== 'closed' && (
                <ConsoleComposer
                  key={chat.id}
                  chat={chat}
                  canAnswer={isMine}
                  onSend={(message, internal) => attempt(line.send(chat.id, message, internal))}
                  onTyping={() => line.tellTyping(chat.id)}
                />
              )}
            </section>
            <ConsolePerson
              chat={chat}
              userId={profile.id_user}
              users={state.users}
              canWrite={canWrite}
              onClaim={() => attempt(line.change('staff:claim', chat.id).then(() => setView('chat')))}
              onTransfer={(to) => attempt(line.transfer(chat.id, to))}
              onClose={() => attempt(line.change('staff:close', chat.id).then(() => setView('chat')))}
            />
          </>
        ) : (
          <div className="console-middle place-content-center p-6">
            <EmptyState title={t('chosen')}>{t('chosenHint')}</EmptyState>
          </div>
        )}
      </div>
      <Toast status={refusal ? 'error' : null} onHide={() => setRefusal(null)}>
        {refusal && (refusal === 'not_connected' ? t('lost') : t('refused', { reason: t(reasons[refusal]) }))}
      </Toast>
    </div>
  )
}

/** True for a few seconds after an instant. */
function useRecent(at: number | undefined) {
  const [shownFor, setShownFor] = useState<number>()
  useEffect(() => {
    if (at === undefined) return
    setShownFor(at)
    const timer = setTimeout(() => setShownFor(undefined), typingShownMs)
    return () => clearTimeout(timer)
  }, [at])
  return at !== undefined && shownFor === at
}
