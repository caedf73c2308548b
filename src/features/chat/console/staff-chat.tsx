import type { ReactNode, RefObject } from 'react'
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useSyncExternalStore, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Profile } from '#src/features/people/contract.ts'
import { withCount } from '#src/lib/text/counted-title.ts'
import { hasRight } from '#src/lib/rights.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { Announcement } from './alerts.ts'
import { useAlerts } from './alerts.ts'
import type { ConsoleState } from './console-state.ts'
import { chatsLeftBehind, countPending, emptyConsole, nameOf, ownChats } from './console-state.ts'
import type { StaffSession } from './staff-session.ts'
import { createStaffSession } from './staff-session.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { consoleTexts } from './console-texts.ts'
import { formatClock, serverNow } from './times.ts'
import { clockRefresh } from '../values.ts'
import type { StaffChat } from '../protocol.ts'
import { SessionEnded } from '#src/features/people/sign-in/web/session-ended-dialog.tsx'

export type StaffChatContext = {
  state: ConsoleState
  session: StaffSession
  /** How many conversations wait for this person. */
  pending: number
  /** Opens a conversation in the console while that is on the screen. */
  openInConsole: RefObject<((id: number) => void) | null>
  /** Lists what a step away would leave behind; resolves to whether it is to be taken. */
  confirmLeave: (step: LeaveStep) => Promise<boolean>
}

type LeaveStep = 'unavailable' | 'signOut'

const Context = createContext<StaffChatContext | null>(null)

/** The chat of who is signed in, on any screen of the administration; null without the right to it. */
export function useStaffChat() {
  return useContext(Context)
}

/** How a conversation is called where there is no room for more than its name. */
export function useChatName() {
  const t = useTexts(consoleTexts)
  const chats = useStaffChat()?.state.chats ?? []
  return (chat: StaffChat) => nameOf(chat, chats, (id) => t('number', { id }))
}

/**
 * Around each screen of the administration: an available technician stays available and gets alerts there too. The
 * connection ends with the last page, the session or the laptop that falls asleep.
 */
export function StaffChatProvider({ profile, children: page }: { profile: Profile; children: ReactNode }) {
  const { id_user: userId, rights, totp_required: mustSetUpTotp } = profile
  // The same tree with and without the right: the page below keeps its state when the right changes.
  const isAllowed = !mustSetUpTotp && hasRight(rights, 'chat', 'read_only')
  const navigate = useNavigate()
  const openInConsole = useRef<((id: number) => void) | null>(null)
  const { announce, announcements } = useAnnouncements()
  const alert = useAlerts((id) => {
    if (openInConsole.current) openInConsole.current(id)
    else void navigate(`/admin/chat?chat=${id}`)
  }, announce)
  const latestAlert = useRef(alert)
  useEffect(() => {
    latestAlert.current = alert
  }, [alert])

  const session = useMemo(
    () => (isAllowed ? createStaffSession(userId, (...given) => latestAlert.current(...given)) : null),
    [isAllowed, userId],
  )
  useEffect(() => {
    session?.start()
    return () => session?.stop()
  }, [session])

  useEffect(() => {
    if (!session) return
    const timer = setInterval(() => session.ringAfterSilence(serverNow()), clockRefresh)
    return () => clearInterval(timer)
  }, [session])

  const state = useSyncExternalStore(session?.subscribe ?? subscribeToNothing, session?.read ?? readNothing, readNothing)
  const pending = isAllowed ? countPending(state.chats, userId) : 0
  useCountInTitle(pending)
  const { confirmLeave, question } = useLeaveQuestion(session, userId)
  const context = useMemo(
    () => session && { state, session, pending, openInConsole, confirmLeave },
    [state, session, pending, confirmLeave],
  )
  useCloseWarning(session, userId)
  return (
    <Context value={context}>
      {page}
      {question}
      {announcements}
      <SessionEnded
        profile={profile}
        isEnded={state.link !== 'up' && state.refusal === 'not_connected'}
        onSignedIn={() => session?.start()}
      />
    </Context>
  )
}

function useAnnouncements() {
  const [last, setLast] = useState({ text: '', count: 0 })
  const [outcome, setOutcome] = useState<Announcement | null>(null)
  const announce = useCallback((next: Announcement) => {
    if (next.outcome) setOutcome(next)
    // The same text again is another element: a screen reader announces it again.
    else setLast(({ count }) => ({ text: next.text, count: count + 1 }))
  }, [])
  const hide = useCallback(() => setOutcome(null), [])
  const announcements = (
    <>
      <p role="status" className="sr-only" translate="no">
        <span key={last.count}>{last.text}</span>
      </p>
      <Toast status={outcome?.outcome ?? null} onHide={hide}>
        <span key={outcome?.text} translate="no">
          {outcome?.text}
        </span>
      </Toast>
    </>
  )
  return { announce, announcements }
}

/** Asks before a step away from open conversations and unsent texts. */
function useLeaveQuestion(session: StaffSession | null, userId: number) {
  const t = useTexts(consoleTexts)
  const [asked, setAsked] = useState<{ step: LeaveStep; chats: StaffChat[]; unsent: number; files: number } | null>(null)
  const answer = useRef<(isYes: boolean) => void>(undefined)
  const confirmLeave = useCallback(
    (step: LeaveStep) => {
      const chats = session ? chatsLeftBehind(session.read(), userId) : []
      const unsent = step === 'signOut' ? (session?.client.countUnsent() ?? 0) : 0
      const files = step === 'signOut' ? (session?.files.count() ?? 0) : 0
      if (chats.length === 0 && unsent === 0 && files === 0) return Promise.resolve(true)
      setAsked({ step, chats, unsent, files })
      return new Promise<boolean>((resolve) => {
        answer.current = resolve
      })
    },
    [session, userId],
  )
  const settle = (isYes: boolean) => {
    setAsked(null)
    answer.current?.(isYes)
  }
  const question = asked && (
    <Dialog
      open
      role="alertdialog"
      title={t('leaveTitle')}
      onClose={() => settle(false)}
      actions={
        <>
          <Button variant="secondary" onClick={() => settle(false)}>
            {t('cancel')}
          </Button>
          <Button variant="danger" onClick={() => settle(true)}>
            {t(asked.step === 'signOut' ? 'signOutAnyway' : 'leaveAnyway')}
          </Button>
        </>
      }
    >
      <ul className="grid gap-1" translate="no">
        {asked.chats.map((chat) => (
          <li key={chat.id}>{nameOf(chat, session?.read().chats ?? [], (id) => t('number', { id }))}</li>
        ))}
      </ul>
      {asked.unsent > 0 && <p className="mt-3">{t('leaveUnsent', { count: asked.unsent })}</p>}
      {asked.files > 0 && <p className="mt-3">{t('leaveFiles', { count: asked.files })}</p>}
    </Dialog>
  )
  return { confirmLeave, question }
}

/** The browser asks before the page is closed over unsent text or open conversations. */
function useCloseWarning(session: StaffSession | null, userId: number) {
  useEffect(() => {
    if (!session) return
    const warn = (event: BeforeUnloadEvent) => {
      const { chats } = session.read()
      const hasText =
        session.client.countUnsent() > 0 || session.files.count() > 0 || chats.some((chat) => session.drafts.has(chat.id))
      if (hasText || ownChats(chats, userId).length > 0) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [session, userId])
}

const subscribeToNothing = () => () => {}
const readNothing = () => emptyConsole

/** The tab's title counts who waits, also after a navigation. */
function useCountInTitle(count: number) {
  const { key } = useLocation()
  const language = useLanguage()
  useEffect(() => {
    document.title = withCount(count, document.title)
  }, [count, key, language])
}

const consolePath = '/admin/chat'

/** Beside the chat in the menu: how many conversations wait for this person. */
export function PendingCount() {
  const t = useTexts(consoleTexts)
  const pending = useStaffChat()?.pending ?? 0
  if (pending === 0) return null
  return (
    <span className="badge badge-count">
      <span aria-hidden="true">{pending}</span>
      <span className="sr-only">{t('calls', { count: pending })}</span>
    </span>
  )
}

/** One's availability in a word, for who may answer; nothing for others. */
export function OwnStatus({ userId }: { userId: number }) {
  const t = useTexts(consoleTexts)
  const staff = useStaffChat()
  if (!staff) return null
  const { available, link, users } = staff.state
  if (link === 'up' && !users.some((user) => user.id_user === userId && user.can_answer)) return null
  return (
    <span role="status" className="text-sm text-ink-2">
      <span>{t(link === 'connecting' ? 'joining' : link !== 'up' ? 'cutOff' : available ? 'available' : 'unavailable')}</span>
    </span>
  )
}

/** One's availability in the menu, with its switch everywhere but on the console, which has its own. */
export function OwnPresence({ userId }: { userId: number }) {
  const t = useTexts(consoleTexts)
  const { pathname } = useLocation()
  const staff = useStaffChat()
  const [isRefused, setRefused] = useState(false)
  if (!staff) return null
  const { state, session } = staff
  const { available, link, users } = state
  if (link === 'up' && !users.some((user) => user.id_user === userId && user.can_answer)) return null
  const handleSwitch = async () => {
    setRefused(false)
    if (available && !(await staff.confirmLeave('unavailable'))) return
    setRefused(!(await session.setAvailable(!available)))
  }
  return (
    <div className="my-2">
      {pathname !== consolePath && (
        <Button
          variant="secondary"
          size="small"
          wide
          className="mt-2"
          disabled={link !== 'up'}
          onClick={() => void handleSwitch()}
        >
          {t(available ? 'leave' : 'become')}
        </Button>
      )}
      {isRefused && (
        <p role="alert" className="mt-2 text-sm font-bold">
          {t('notSwitched')}
        </p>
      )}
    </div>
  )
}

/** One's availability where there is no place for its words, which `OwnPresence` has. */
export function OwnLamp() {
  const staff = useStaffChat()
  if (!staff) return null
  const { available, link } = staff.state
  return <span className={`lamp ${link === 'up' && available ? '' : 'lamp-off'}`} aria-hidden="true" />
}

/** The warning before closing time, everywhere but on the console, which has its own. */
export function ClosingElsewhere() {
  const { pathname } = useLocation()
  return pathname === consolePath ? null : (
    <div role="alert" className="empty:hidden">
      <ClosingNotice />
    </div>
  )
}

export function ClosingNotice() {
  const t = useTexts(consoleTexts)
  const language = useLanguage()
  const staff = useStaffChat()
  if (!staff?.state.closingAt || !staff.state.available) return null
  const handleStay = () => void staff.session.setAvailable(true)
  return (
    <p className="flex flex-wrap items-center gap-4 bg-lamp px-5 py-2 text-sm text-on-lamp">
      <span>{t('closing', { time: formatClock(language, staff.state.closingAt) })}</span>
      <Button variant="secondary" size="small" onClick={handleStay}>
        {t('stay')}
      </Button>
    </p>
  )
}
