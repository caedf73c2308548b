import type { ReactNode, RefObject } from 'react'
import { createContext, useContext, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Profile } from '#src/features/people/sign-in/contract.ts'
import { withCount } from '#src/lib/text/counted-title.ts'
import { hasRight } from '#src/lib/rights.ts'
import { useLanguage } from '#src/ui/language.tsx'
import { useAlerts } from './alerts.ts'
import type { ConsoleState } from './console-state.ts'
import { countPending, emptyConsole } from './console-state.ts'
import type { StaffSession } from './staff-session.ts'
import { createStaffSession } from './staff-session.ts'

export type StaffChatContext = {
  state: ConsoleState
  session: StaffSession
  /** How many conversations wait for this person. */
  pending: number
  /** Opens a conversation in the console while that is on the screen. */
  openInConsole: RefObject<((id: number) => void) | null>
}

const Context = createContext<StaffChatContext | null>(null)

/** The chat of who is signed in, on any screen of the administration; null without the right to it. */
export function useStaffChat() {
  return useContext(Context)
}

/**
 * Around each screen of the administration: an available technician stays available and gets alerts there too. The
 * connection ends with the last page, the session or the laptop that falls asleep.
 */
export function StaffChatProvider({ profile, children }: { profile: Profile; children: ReactNode }) {
  const { id_user: userId, rights, totp_required: mustSetUpTotp } = profile
  // The same tree with and without the right: the page below keeps its state when the right changes.
  const isAllowed = !mustSetUpTotp && hasRight(rights, 'chat', 'read_only')
  const navigate = useNavigate()
  const openInConsole = useRef<((id: number) => void) | null>(null)
  const alert = useAlerts((id) => {
    if (openInConsole.current) openInConsole.current(id)
    else void navigate(`/admin/chat?chat=${id}`)
  })
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

  const state = useSyncExternalStore(session?.subscribe ?? subscribeToNothing, session?.read ?? readNothing, readNothing)
  const pending = isAllowed ? countPending(state.chats, userId) : 0
  useCountInTitle(pending)
  const context = useMemo(() => session && { state, session, pending, openInConsole }, [state, session, pending])
  return <Context value={context}>{children}</Context>
}

const subscribeToNothing = () => () => {}
const readNothing = () => emptyConsole

/** The tab's title says how many wait, also after a step to another page. */
function useCountInTitle(count: number) {
  const { key } = useLocation()
  const language = useLanguage()
  useEffect(() => {
    document.title = withCount(count, document.title)
  }, [count, key, language])
}
