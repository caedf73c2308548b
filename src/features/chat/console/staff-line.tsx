import type { ReactNode, RefObject } from 'react'
import { createContext, useContext, useEffect, useMemo, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Profile } from '#src/features/people/sign-in/contract.ts'
import { hasRight } from '#src/lib/rights.ts'
import { withCount } from '#src/lib/counted-title.ts'
import { useLanguage } from '#src/ui/language.tsx'
import type { ConsoleLine } from './console-line.ts'
import type { ConsoleState } from './console-state.ts'
import { countCalls } from './console-state.ts'
import { useAlerts } from './alerts.ts'
import { useConsole } from './use-console.ts'

export type StaffLine = {
  state: ConsoleState
  line: ConsoleLine
  /** How many visitors wait for an answer of this person. */
  calls: number
  /** Where a conversation opens while the console is on the screen. */
  shown: RefObject<((id: number) => void) | null>
}

const StaffLineContext = createContext<StaffLine | null>(null)

/** The line to the chat, on any screen of the administration; null for who has no right to it. */
export function useStaffLine() {
  return useContext(StaffLineContext)
}

/**
 * Around each screen of the administration: who is signed in and available stays so while they work elsewhere than in
 * the console, and is called there. The line goes with the last page, the session or the laptop that falls asleep.
 */
export function StaffLineProvider({ profile, children }: { profile: Profile; children: ReactNode }) {
  const { id_user: userId, rights, totp_required: isShutOut } = profile
  // The same tree with and without the line: the page below keeps what it shows when a right opens or closes it.
  const isAllowed = !isShutOut && hasRight(rights, 'chat', 'read_only')
  const navigate = useNavigate()
  const shown = useRef<((id: number) => void) | null>(null)
  const alert = useAlerts((id) => {
    if (shown.current) shown.current(id)
    else void navigate(`/admin/chat?chat=${id}`)
  })
  const { state, line } = useConsole(isAllowed ? userId : null, (call) => alert(call, state.available))
  const calls = isAllowed ? countCalls(state.chats, userId) : 0
  useCountInTitle(calls)
  const known = useMemo(() => (isAllowed ? { state, line, calls, shown } : null), [isAllowed, state, line, calls])
  return <StaffLineContext value={known}>{children}</StaffLineContext>
}

/** The tab itself says how many wait or wrote; after a step to another page, of its title. */
function useCountInTitle(count: number) {
  const { key } = useLocation()
  const language = useLanguage()
  useEffect(() => {
    document.title = withCount(count, document.title)
  }, [count, key, language])
}
