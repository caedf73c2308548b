import { useCallback, useEffect, useState } from 'react'
import { hasRight } from '#src/features/groups/values.ts'
import { useAdminTitle } from '#src/features/site/web/admin-head.tsx'
import { useProfile } from '#src/features/site/web/admin-layout.tsx'
import { useRight } from '#src/features/site/web/use-right.ts'
import { TellVisitors } from '#src/features/updates/web/tell-visitors.tsx'
import { ApiError } from '#src/ui/api.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { staffTexts } from '../../staff-texts.ts'
import { ConsoleHead } from './console-head.tsx'
import { ConsoleList } from './console-list.tsx'
import { StaffRefusal } from './staff-socket.ts'
import { focusPane } from './console-pane.tsx'
import { ConsolePanes } from './console-panes.tsx'
import { ConsolePerson } from './console-person.tsx'
import { RefusalToast } from './refusal-toast.tsx'
import { ownChats } from './console-state.ts'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'
import type { StaffLine } from './staff-line.tsx'
import { useStaffLine } from './staff-line.tsx'
import { useCanned } from './use-canned.ts'
import { useColumns } from './use-columns.ts'
import { useConsoleKeys } from './use-console-keys.ts'
import { useOpenChats } from './use-open-chats.ts'
import { useSeen } from './use-seen.ts'
import './console.css'
import './console-conversation.css'
import './console-list.css'

type View = 'list' | 'chat' | 'person'

/** The technician's console: queue, conversations side by side, person. */
export default function AdminChatPage() {
  useRight(['chat'], 'read_only')
  const staff = useStaffLine()
  if (!staff) throw new ApiError(403, {})
  return <Console staff={staff} />
}

function Console({ staff: { state, line, shown } }: { staff: StaffLine }) {
  const t = useTexts(staffTexts)
  useAdminTitle(t('title'))
  const { id_user: userId, rights } = useProfile()
  const [view, setView] = useState<View>('list')
  const [refusal, setRefusal] = useState<StaffRefusal | null>(null)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const isSeen = useSeen()
  const columns = useColumns()

  const me = state.users.find((user) => user.id_user === userId)
  const canWrite = me ? me.can_answer : hasRight(rights, 'chat', 'read_write')
  const own = ownChats(state.chats, userId)
  const canned = useCanned(canWrite)
  // One that is being claimed is as good as one's own: the next to be opened must not take its place.
  const open = useOpenChats((id) => line.isClaiming(id) || own.some((one) => one.id === id))
  const known = open.ids.flatMap((id) => state.chats.find((one) => one.id === id) ?? [])
  const current = known.find((one) => one.id === open.current) ?? known.at(-1)
  const inSight = open.shown(columns)

  const fail = useCallback((error: unknown) => {
    console.warn(error)
    setRefusal(error instanceof StaffRefusal ? error : new StaffRefusal('broken'))
  }, [])
  const attempt = (work: Promise<unknown>) => void work.catch(fail)
  function handleOpen(id: number) {
    open.add(id)
    setView('chat')
    attempt(line.open(id))
    focusPane(id)
  }
  // A call opens its conversation here instead of coming to this page.
  useEffect(() => {
    shown.current = handleOpen
    return () => {
      shown.current = null
    }
  })
  const handlePutAway = (id: number) => {
    open.remove(id)
    line.leaveChat(id)
    if (open.ids.length <= 1) setView('list')
  }
  useConsoleKeys({
    order: [...new Set([...own.map((one) => one.id), ...open.ids])],
    current: current?.id ?? null,
    onOpen: handleOpen,
    onHelp: () => setHelpOpen(true),
    onLeave: () => setView(view === 'person' ? 'chat' : 'list'),
  })
  useRestored(open.ids, state.link === 'up', (id) => attempt(line.open(id)))

  return (
    <div className="console" data-view={view} data-panes={Math.max(1, Math.min(columns, known.length))}>
      <div>
        <ConsoleHead state={state} canWrite={canWrite} onAvailable={(available) => attempt(line.setAvailable(available))} />
        <TellVisitors chats={own} send={line.announce} />
      </div>
      <div className="console-columns">
        <ConsoleList
          chats={state.chats}
          more={state.more}
          userId={userId}
          isAway={canWrite && !state.available}
          current={current?.id ?? null}
          line={line}
          onOpen={handleOpen}
          onFailure={fail}
          onHelp={() => setHelpOpen(true)}
        />
        {current ? (
          <>
            <ConsolePanes
              chats={known}
              shown={inSight}
              current={current.id}
              state={state}
              line={line}
              userId={userId}
              canWrite={canWrite}
              canned={canned}
              isSeen={isSeen}
              onOpen={handleOpen}
              onFocus={open.focus}
              onDetails={() => setView('person')}
              onBack={() => setView('list')}
              onPutAway={handlePutAway}
              attempt={attempt}
            />
            <ConsolePerson
              key={current.id}
              chat={current}
              users={state.users}
              canWrite={canWrite}
              line={line}
              onOpen={handleOpen}
              onBack={() => setView('chat')}
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

/** After a reload the chats that were open are read again. */
function useRestored(ids: number[], isUp: boolean, read: (id: number) => void) {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isUp || isDone) return
    setDone(true)
    for (const id of ids) read(id)
  }, [isUp, isDone, ids, read])
}
