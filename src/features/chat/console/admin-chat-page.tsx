import { useState, useSyncExternalStore } from 'react'
import { hasRight } from '#src/lib/rights.ts'
import { useAdminTitle } from '#src/features/content/web/admin-head.tsx'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { useRight } from '#src/features/content/web/use-right.ts'
import { NotifyVisitors } from '#src/features/updates/web/notify-visitors.tsx'
import { ApiError } from '#src/ui/api.ts'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { consoleTexts } from './console-texts.ts'
import { ConsoleHead } from './console-head.tsx'
import { ConsoleList } from './chat-list.tsx'
import type { ChatError } from '../client/connection.ts'
import { ConsolePanes } from './console-panes.tsx'
import { ConsolePerson } from './visitor-details.tsx'
import { ShortcutsDialog, useConsoleKeys } from './shortcuts.tsx'
import type { StaffChatContext } from './staff-chat.tsx'
import { useStaffChat } from './staff-chat.tsx'
import { useCanned } from './canned-replies.tsx'
import { useConsoleView } from './use-console-view.ts'
import type { ChatErrorCode } from '../protocol.ts'
import './console.css'

/** The technician's console: queue, conversations side by side, person. */
export default function AdminChatPage() {
  useRight(['chat'], 'read_only')
  const staff = useStaffChat()
  if (!staff) throw new ApiError(403, {})
  return <Console staff={staff} />
}

function Console({ staff }: { staff: StaffChatContext }) {
  const { state, session } = staff
  const t = useTexts(consoleTexts)
  useAdminTitle(t('title'))
  const { id_user: userId, rights } = useProfile()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const isVisible = useVisible()

  const me = state.users.find((user) => user.id_user === userId)
  const canWrite = me ? me.can_answer : hasRight(rights, 'chat', 'read_write')
  const canned = useCanned(canWrite)

  const attempt = (work: Promise<unknown>) => void work.catch(session.fail)
  const view = useConsoleView(staff, userId)
  const { current } = view
  useConsoleKeys({
    order: view.order,
    current: current?.id ?? null,
    onOpen: view.open,
    onHelp: () => setHelpOpen(true),
    onLeave: view.leave,
  })

  return (
    <div className="console" data-view={view.part} data-panes={view.panes}>
      <div>
        <ConsoleHead state={state} canWrite={canWrite} onAvailable={(available) => attempt(session.setAvailable(available))} />
        <NotifyVisitors chats={view.own} send={session.announce} />
      </div>
      <div className="console-columns">
        <ConsoleList
          chats={state.chats}
          more={state.more}
          userId={userId}
          isAway={canWrite && !state.available}
          current={current?.id ?? null}
          session={session}
          onOpen={view.open}
          onHelp={() => setHelpOpen(true)}
        />
        {current ? (
          <>
            <ConsolePanes
              chats={view.openChats}
              shown={view.visible}
              current={current.id}
              state={state}
              session={session}
              userId={userId}
              canWrite={canWrite}
              canned={canned}
              isVisible={isVisible}
              onOpen={view.open}
              onFocus={view.focus}
              onDetails={() => view.show('person')}
              onBack={() => view.show('list')}
              onClose={view.close}
              attempt={attempt}
            />
            <ConsolePerson
              key={current.id}
              chat={current}
              users={state.users}
              canWrite={canWrite}
              session={session}
              onOpen={view.open}
              onBack={() => view.show('chat')}
              attempt={attempt}
            />
          </>
        ) : (
          <div className="console-middle items-center justify-center p-6">
            <EmptyState title={t('chosen')}>{t('chosenHint')}</EmptyState>
          </div>
        )}
      </div>
      <ShortcutsDialog open={isHelpOpen} onClose={() => setHelpOpen(false)} />
      <FailureToast failure={state.failure} onHide={session.dismissFailure} />
    </div>
  )
}

const reasons: Record<ChatErrorCode, keyof (typeof consoleTexts)['fr']> = {
  invalid: 'reasonInvalid',
  unknown_chat: 'reasonUnknown',
  closed: 'reasonClosed',
  no_users: 'reasonUsers',
  limited: 'reasonLimited',
  forbidden: 'reasonForbidden',
  taken: 'reasonTaken',
  answered: 'reasonTaken',
  blocked: 'reasonForbidden',
  not_connected: 'lost',
  broken: 'reasonBroken',
}

/** Why the server did not do what the technician asked. */
function FailureToast({ failure, onHide }: { failure: ChatError | null; onHide: () => void }) {
  const t = useTexts(consoleTexts)
  const describe = ({ code, userName }: ChatError) =>
    code === 'silent' || code === 'not_connected'
      ? t('lost')
      : t('refused', { reason: t(reasons[code], { name: userName || t('someone') }) })
  return (
    <Toast status={failure ? 'error' : null} onHide={onHide}>
      {failure && describe(failure)}
    </Toast>
  )
}

/** Whether the tab is visible: in a hidden one nothing counts as read. */
export function useVisible() {
  return useSyncExternalStore(
    subscribe,
    () => document.visibilityState === 'visible',
    () => false,
  )
}

function subscribe(listener: () => void) {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
