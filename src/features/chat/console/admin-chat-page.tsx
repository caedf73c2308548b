import { useState, useSyncExternalStore, useEffect, useEffectEvent, useCallback } from 'react'
import { hasRight } from '#src/lib/rights.ts'
import { useAdminTitle } from '#src/features/content/web/admin-head.tsx'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { NotifyVisitors } from '#src/features/updates/web/notify-visitors.tsx'
import { ApiError } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { EmptyState } from '#src/ui/components/empty-state.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { consoleTexts } from './console-texts.ts'
import { ignoreDroppedFiles } from './composer-files.tsx'
import { ConsoleHead, ConsoleNotices } from './console-head.tsx'
import { ConsoleList } from './chat-list.tsx'
import { ConsolePanes, focusPane } from './console-panes.tsx'
import { ConsolePerson } from './visitor-details.tsx'
import type { StaffChatContext } from './staff-chat.tsx'
import { useStaffChat } from './staff-chat.tsx'
import { useCanned } from './canned-replies.tsx'
import type { ChatErrorCode } from '../protocol.ts'
import './console.css'
import { useSearchParams } from 'react-router'
import type { ConsoleFailure } from './console-state.ts'
import { chatsOf, ownChats, storeOpenChats, readOpenChats } from './console-state.ts'
import { focusList, ShortcutsDialog, useConsoleKeys } from './console-keys.tsx'

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

  const view = useConsoleView(staff, userId)
  const { current } = view
  const [ended, setEnded] = useState<number | null>(null)
  const switchAvailability = async (available: boolean) => {
    if (available || (await staff.confirmLeave('unavailable'))) await session.setAvailable(available)
  }
  const take = () => {
    const [next] = chatsOf(state.chats, 'waiting', userId)
    if (!canWrite || !next) return
    view.open(next.id)
    void session.claim(next.id)
  }
  /** The focus goes where the next act is: one's next conversation, or who waits. */
  const handleEnded = (id: number) => {
    setEnded(id)
    const next = view.own.find((one) => one.id !== id)
    if (next) view.open(next.id)
    else focusList()
  }
  const focusFirst = useEffectEvent(() => {
    if (document.activeElement !== document.body) return
    if (current) focusPane(current.id)
    else focusList()
  })
  const { isListed } = state
  useEffect(() => {
    if (isListed) focusFirst()
  }, [isListed])
  useConsoleKeys({
    order: view.order,
    current: current?.id ?? null,
    onOpen: view.open,
    onTake: take,
    onHelp: () => setHelpOpen(true),
    onLeave: view.leave,
  })

  return (
    <div className="console" data-view={current ? view.part : 'list'} data-panes={view.panes} {...ignoreDroppedFiles}>
      <div className="console-notices">
        <ConsoleNotices state={state} canWrite={canWrite} />
        <NotifyVisitors chats={view.own} send={session.announce} />
      </div>
      <ConsoleHead state={state} canWrite={canWrite} onAvailable={(available) => void switchAvailability(available)} />
      <div className="console-columns">
        <ConsoleList
          state={state}
          userId={userId}
          canWrite={canWrite}
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
              mayTakeOver={hasRight(rights, 'chat', 'administrator')}
              onOpen={view.open}
              onFocus={view.focus}
              onDetails={() => view.show('person')}
              onEnded={() => handleEnded(current.id)}
              onBack={() => view.show('list')}
              onClose={view.close}
            />
            <ConsolePerson
              key={current.id}
              chat={current}
              canWrite={canWrite}
              session={session}
              onOpen={view.open}
              onBack={() => view.show('chat')}
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
      <EndedNotice
        key={ended}
        id={ended}
        onHide={() => setEnded(null)}
        onReopen={(id) => void session.reopen(id).then((isDone) => isDone && focusPane(id))}
      />
    </div>
  )
}

const reasons: Record<ChatErrorCode | 'silent', keyof (typeof consoleTexts)['fr']> = {
  invalid: 'reasonInvalid',
  unknown_chat: 'reasonUnknown',
  closed: 'reasonClosed',
  no_users: 'reasonUsers',
  limited: 'reasonLimited',
  forbidden: 'reasonForbidden',
  taken: 'reasonTaken',
  answered: 'reasonTaken',
  blocked: 'reasonForbidden',
  expired: 'reasonExpired',
  not_connected: 'reasonSignedOut',
  silent: 'reasonSilent',
  broken: 'reasonBroken',
}

/** Why the server did not do what the technician asked. */
function FailureToast({ failure, onHide }: { failure: ConsoleFailure | null; onHide: () => void }) {
  const t = useTexts(consoleTexts)
  const describe = ({ operation, error: { code, userName } }: ConsoleFailure) =>
    t(`operationFailed_${operation}`, { reason: t(reasons[code], { name: userName || t('someone') }) })
  return (
    <Toast status={failure ? 'error' : null} onHide={onHide}>
      {failure && describe(failure)}
    </Toast>
  )
}

const reopenOfferedMs = 10_000

/** Ending asks nothing where the last word is staff's: it can be undone for a while. */
function EndedNotice({ id, onHide, onReopen }: { id: number | null; onHide: () => void; onReopen: (id: number) => void }) {
  const t = useTexts(consoleTexts)
  const hide = useEffectEvent(onHide)
  useEffect(() => {
    if (id === null) return
    const timer = setTimeout(() => hide(), reopenOfferedMs)
    return () => clearTimeout(timer)
  }, [id])
  return (
    <div role="status" className="console-ended">
      {id !== null && (
        <p>
          <span>{t('ended')}</span>{' '}
          <Button
            variant="link"
            onClick={() => {
              onHide()
              onReopen(id)
            }}
          >
            {t('reopen')}
          </Button>
        </p>
      )}
    </div>
  )
}

/** Whether the tab is visible: in a hidden one nothing counts as read. */
export function useVisible() {
  return useSyncExternalStore(
    subscribeToVisibility,
    () => document.visibilityState === 'visible',
    () => false,
  )
}

function subscribeToVisibility(listener: () => void) {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

type Part = 'list' | 'chat' | 'person'

/** Which conversations are open in the console, and which part of it a narrow screen shows. */
export function useConsoleView({ state, session, openInConsole }: StaffChatContext, userId: number) {
  const { client } = session
  const [query] = useSearchParams()
  const [part, show] = useState<Part>(query.has('chat') ? 'chat' : 'list')
  const columns = useColumns()
  const own = ownChats(state.chats, userId)
  // The next one must not replace a chat that is being claimed, or one with a draft.
  const {
    ids,
    current,
    add,
    remove,
    focus,
    shown: shownIn,
  } = useOpenChats((id) => session.isClaiming(id) || session.drafts.has(id) || own.some((one) => one.id === id))
  const openChats = ids.flatMap((id) => state.chats.find((one) => one.id === id) ?? [])

  function open(id: number) {
    add(id)
    show('chat')
    void client.open(id)
    focusPane(id)
  }
  // An alert opens its conversation here instead of loading this page.
  useEffect(() => {
    openInConsole.current = open
    return () => {
      openInConsole.current = null
    }
  })
  useRestored(ids, state.link === 'up', (id) => void client.open(id))

  return {
    part,
    show,
    /** One's own first, then those that are only open. */
    order: [...new Set([...own.map((one) => one.id), ...ids])],
    own,
    openChats,
    current: openChats.find((one) => one.id === current) ?? openChats.at(-1),
    /** Ids of the visible ones. */
    visible: shownIn(columns),
    panes: Math.max(1, Math.min(columns, openChats.length)),
    open,
    focus,
    close: (id: number) => {
      remove(id)
      // One's own conversation is only hidden: it goes on.
      if (!own.some((one) => one.id === id)) client.leave(id)
      if (ids.length <= 1) show('list')
    },
    leave: () => show(part === 'person' ? 'chat' : 'list'),
  }
}

/** Opens the chats again that were open before a reload. */
function useRestored(ids: number[], isUp: boolean, read: (id: number) => void) {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isUp || isDone) return
    setDone(true)
    for (const id of ids) read(id)
  }, [isUp, isDone, ids, read])
}

/**
 * The chats that are open in the console. One's own stay open until they are closed; another one
 * is replaced by the next.
 */
function useOpenChats(isOwn: (id: number) => boolean) {
  const [query, setQuery] = useSearchParams()
  const linked = Number(query.get('chat')) || null
  const [open, setOpen] = useState(() => readOpenChats(linked))
  const { ids, recent } = open
  const current = recent[0] ?? null

  useEffect(() => storeOpenChats(ids), [ids])
  useEffect(() => {
    // The query opens the chat of a link once; a reload restores what is open then.
    if (linked) setQuery({}, { replace: true })
  }, [linked, setQuery])

  const focus = useCallback(
    (id: number) =>
      setOpen((before) =>
        before.recent[0] === id ? before : { ...before, recent: [id, ...before.recent.filter((one) => one !== id)] },
      ),
    [],
  )

  return {
    ids,
    current,
    /** The visible ones in so many columns. */
    shown: (columns: number) => ids.filter((id) => recent.slice(0, columns).includes(id)),
    focus,
    add(id: number) {
      setOpen((before) => {
        const remaining = before.ids.filter((one) => one === id || isOwn(one))
        const next = remaining.includes(id) ? remaining : [...remaining, id]
        return { ids: next, recent: [id, ...before.recent.filter((one) => one !== id && next.includes(one))] }
      })
    },
    remove(id: number) {
      setOpen((before) => ({
        ids: before.ids.filter((one) => one !== id),
        recent: before.recent.filter((one) => one !== id),
      }))
    },
  }
}

/** The width from which so many conversations fit. */
const widths: [columns: number, query: string][] = [
  [4, '(width >= 150rem)'],
  [3, '(width >= 112rem)'],
  [2, '(width >= 86rem)'],
]

function useColumns() {
  return useSyncExternalStore(subscribeToWidths, readColumns, () => 1)
}

function readColumns() {
  return widths.find(([, query]) => matchMedia(query).matches)?.[0] ?? 1
}

function subscribeToWidths(listener: () => void) {
  const lists = widths.map(([, query]) => matchMedia(query))
  for (const list of lists) list.addEventListener('change', listener)
  return () => {
    for (const list of lists) list.removeEventListener('change', listener)
  }
}
