import { useState } from 'react'
import { useLocation } from 'react-router'
import { Button } from '#src/ui/components/button.tsx'
import { Lamp } from '#src/ui/components/lamp.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { consoleTexts } from './console-texts.ts'
import { formatClock } from './times.ts'
import { useStaffChat } from './staff-chat.tsx'

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
  const handleSwitch = () => {
    setRefused(false)
    session.setAvailable(!available).catch((error: unknown) => {
      console.warn(error)
      setRefused(true)
    })
  }
  return (
    <div className="my-2">
      <p role="status" className="text-sm">
        <Lamp on={link === 'up' && available}>
          {t(link === 'connecting' ? 'joining' : link !== 'up' ? 'cutOff' : available ? 'available' : 'unavailable')}
        </Lamp>
      </p>
      {pathname !== consolePath && (
        <Button variant="secondary" size="small" wide className="mt-2" disabled={link !== 'up'} onClick={handleSwitch}>
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
  const handleStay = () => void staff.session.setAvailable(true).catch((error: unknown) => console.warn(error))
  return (
    <p className="flex flex-wrap items-center gap-4 bg-lamp px-5 py-2 text-sm text-on-lamp">
      {t('closing', { time: formatClock(language, staff.state.closingAt) })}
      <Button variant="secondary" size="small" onClick={handleStay}>
        {t('stay')}
      </Button>
    </p>
  )
}
