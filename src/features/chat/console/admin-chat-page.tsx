import { useCallback, useState, useSyncExternalStore } from 'react'
import { hasRight } from '#src/lib/rights.ts'
import { useAdminTitle } from '#src/features/content/web/admin-head.tsx'
import { useProfile } from '#src/features/people/sign-in/web/use-profile.ts'
import { useRight } from '#src/features/content/web/use-right.ts'
import { TellVisitors } from '#src/features/updates/web/tell-visitors.tsx'
import { ApiError } from '#src/ui/api.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { Toast } from '#src/ui/toast.tsx'
import { staffTexts } from './console-texts.ts'
import { ConsoleHead } from './console-head.tsx'
import { ConsoleList } from './chat-list.tsx'
import { StaffRefusal } from './staff-socket.ts'
import { ConsolePanes } from './console-panes.tsx'
import { ConsolePerson } from './visitor-details.tsx'
import { ShortcutsDialog, useConsoleKeys } from './shortcuts.tsx'
import type { StaffLine } from './staff-line.tsx'
import { useStaffLine } from './staff-line.tsx'
import { useCanned } from './canned-replies.tsx'
import { useConsoleView } from './use-console-view.ts'
import type { ChatErrorCode } from '../values.ts'
import './console.css'

/** The technician's console: queue, conversations side by side, person. */
export default function AdminChatPage() {
  useRight(['chat'], 'read_only')
  const staff = useStaffLine()
  if (!staff) throw new ApiError(403, {})
  return <Console staff={staff} />
}

function Console({ staff }: { staff: StaffLine }) {
  const { state, line } = staff
  const t = useTexts(staffTexts)
  useAdminTitle(t('title'))
  const { id_user: userId, rights } = useProfile()
  const [refusal, setRefusal] = useState<StaffRefusal | null>(null)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const isSeen = useSeen()

  const me = state.users.find((user) => user.id_user === userId)
  const canWrite = me ? me.can_answer : hasRight(rights, 'chat', 'read_write')
  const canned = useCanned(canWrite)

  const fail = useCallback((error: unknown) => {
    console.warn(error)
    setRefusal(error instanceof StaffRefusal ? error : new StaffRefusal('broken'))
  }, [])
  const attempt = (work: Promise<unknown>) => void work.catch(fail)
  const view = useConsoleView(staff, userId, attempt)
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
        <ConsoleHead state={state} canWrite={canWrite} onAvailable={(available) => attempt(line.setAvailable(available))} />
        <TellVisitors chats={view.own} send={line.announce} />
      </div>
      <div className="console-columns">
        <ConsoleList
          chats={state.chats}
          more={state.more}
          userId={userId}
          isAway={canWrite && !state.available}
          current={current?.id ?? null}
          line={line}
          onOpen={view.open}
          onFailure={fail}
          onHelp={() => setHelpOpen(true)}
        />
        {current ? (
          <>
            <ConsolePanes
              chats={view.known}
              shown={view.inSight}
              current={current.id}
              state={state}
              line={line}
              userId={userId}
              canWrite={canWrite}
              canned={canned}
              isSeen={isSeen}
              onOpen={view.open}
              onFocus={view.focus}
              onDetails={() => view.show('person')}
              onBack={() => view.show('list')}
              onPutAway={view.putAway}
              attempt={attempt}
            />
            <ConsolePerson
              key={current.id}
              chat={current}
              users={state.users}
              canWrite={canWrite}
              line={line}
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
      <RefusalToast refusal={refusal} onHide={() => setRefusal(null)} />
    </div>
  )
}

const reasons: Record<ChatErrorCode, keyof (typeof staffTexts)['fr']> = {
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
export function RefusalToast({ refusal, onHide }: { refusal: StaffRefusal | null; onHide: () => void }) {
  const t = useTexts(staffTexts)
  const said = (one: StaffRefusal) =>
    one.code === 'not_connected'
      ? t('lost')
      : t('refused', { reason: t(reasons[one.code], { name: one.userName || t('someone') }) })
  return (
    <Toast status={refusal ? 'error' : null} onHide={onHide}>
      {refusal && said(refusal)}
    </Toast>
  )
}

/** Whether the page is in sight: what a hidden tab shows was not read by anybody. */
export function useSeen() {
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
