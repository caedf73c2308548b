import type { ReactNode } from 'react'
import { createContext, useCallback, useContext, useEffect, useMemo, useState, useRef } from 'react'
import type { Profile } from '#src/features/people/contract.ts'
import { storeProfile } from '#src/features/people/sign-in/web/session.ts'
import { ReloadNotice, useLive } from '#src/ui/live/use-live.tsx'
import { getJson } from '#src/ui/api.ts'
import type { UpdateAlert } from '../contract.ts'
import { pickVariant } from '#src/lib/language/language.ts'
import { AlertIcon } from '#src/ui/components/icons.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { alertTexts } from '../texts.ts'
import { adviceSpan, phaseOf } from '../values.ts'
import { describeCountdown, describeInstant, describeWhen } from './update-time.ts'
import './updates.css'

type Known = { alert: UpdateAlert | null; setAlert: (alert: UpdateAlert | null) => void }

const AlertContext = createContext<Known>({ alert: null, setAlert: () => undefined })

/** The current update alert, on any screen of the administration. */
export function useUpdateAlert() {
  return useContext(AlertContext)
}

/** Requests all changes, so that one made between the page load and the opening of the stream is included. */
const fromTheStart = 1

type ProviderProps = { initial: UpdateAlert | null; children: ReactNode }

/** Wraps each screen of the administration: the live alert, and the offer to reload after the update. */
export function UpdateAlertProvider({ initial, children }: ProviderProps) {
  const [alert, setAlert] = useState(initial)
  useEffect(() => setAlert(initial), [initial])
  const refresh = useCallback(async () => {
    try {
      const profile = await getJson<Profile>('/api/auth/me')
      storeProfile(profile)
      setAlert(profile.update_alert)
    } catch (error) {
      // The server restarts or the session ended: the next event retries, and the next API call handles a 401.
      console.warn(error)
    }
  }, [])
  const isOutdated = useLive((area) => {
    if (area === 'updates' || area === null) void refresh()
  }, fromTheStart)
  const known = useMemo(() => ({ alert, setAlert }), [alert])
  return (
    <AlertContext value={known}>
      {alert && <UpdateBanner alert={alert} />}
      {/* oxlint-disable-next-line guichet/own-element -- whole screens, never a bare text */}
      {children}
      <ReloadNotice shown={isOutdated} />
    </AlertContext>
  )
}

/** Banner of the administration: time of the update, time left, and advice. */
function UpdateBanner({ alert }: { alert: UpdateAlert }) {
  const t = useTexts(alertTexts)
  const language = useLanguage()
  const now = useNow()
  const phase = phaseOf(alert, now)
  const banner = useBannerHeight(phase === 'over')
  if (phase === 'over') return null

  const message = pickVariant(language, alert.message, alert.message_en)
  const timeOf = (instant: Date | string) => describeInstant(instant, language).time
  const span = adviceSpan(alert)
  const title = {
    planned: () => t('planned', { when: describeWhen(alert.next_update, language, t, now) }),
    soon: () => t('soon', { time: timeOf(alert.next_update) }),
    running: () => t('running', { time: timeOf(alert.ends_at) }),
    after: () => t('after'),
  }[phase]()
  return (
    <section ref={banner} className="update-banner bg-lamp text-on-lamp" aria-label={t('label')}>
      <AlertIcon size={22} className="mt-0.5 flex-none" />
      <div>
        <p role="status" className="font-bold">
          {title}
        </p>
        <p className="text-sm">{t('advice', { from: timeOf(span.from), until: timeOf(span.until) })}</p>
        {message.text && (
          <p className="text-sm whitespace-pre-line" lang={message.lang}>
            {message.text}
          </p>
        )}
      </div>
      {(phase === 'planned' || phase === 'soon') && (
        <p role="timer" aria-label={t('countdown')} className="tabular flex-none text-xl font-bold">
          {describeCountdown(Date.parse(alert.next_update) - now, t)}
        </p>
      )}
    </section>
  )
}

/** Reports the height of the banner to the layout. */
function useBannerHeight(isOver: boolean) {
  const banner = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = banner.current
    if (!element || isOver) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty('--update-banner', `${element.offsetHeight}px`))
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.removeProperty('--update-banner')
    }
  }, [isOver])
  return banner
}

/** The current time, updated. */
export function useNow(everyMs = 1_000) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
