import { useEffect, useState } from 'react'
import { apiAddress } from '#src/ui/hosts.ts'
import type { Language } from '#src/lib/language/language.ts'
import { locales } from '#src/lib/language/language.ts'
import { clockRefresh } from '../values.ts'

const clocks = new Map<string, Intl.DateTimeFormat>()

/** HH:mm. A formatter takes longer to make than to use, and each message of a long conversation uses one. */
export function formatClock(language: Language, instant: string | number, timeZone?: string) {
  const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const
  const key = language + (timeZone ?? '')
  const clock = clocks.get(key) ?? new Intl.DateTimeFormat(locales[language], options)
  clocks.set(key, clock)
  return clock.format(new Date(instant)).replace(/\s*h\s*/, ':')
}

/** The time, and before it the date unless it is today. */
export function formatMoment(language: Language, instant: string) {
  const clock = formatClock(language, instant)
  if (new Date(instant).toDateString() === new Date(serverNow()).toDateString()) return clock
  return `${new Intl.DateTimeFormat(locales[language], { day: 'numeric', month: 'short' }).format(new Date(instant))}, ${clock}`
}

/** The time if it is today, otherwise the date. */
export function formatWhen(language: Language, instant: string, now: number) {
  if (new Date(instant).toDateString() === new Date(now).toDateString()) return formatClock(language, instant)
  return new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium' }).format(new Date(instant))
}

/** A wait in words: `38 s`, `4 min`, `2 h 05` in French, `2 h 5 min` in English. */
export function formatWait(seconds: number, language: Language) {
  const minutes = Math.floor(seconds / 60)
  if (minutes < 1) return `${seconds}\u00A0s`
  if (minutes < 60) return `${minutes}\u00A0min`
  if (minutes >= 2 * 24 * 60) return `${Math.floor(minutes / 1_440)}\u00A0${language === 'fr' ? 'jours' : 'days'}`
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return `${hours}\u00A0h\u00A0${language === 'fr' ? String(rest).padStart(2, '0') : `${rest}\u00A0min`}`
}

/** How far the server's clock is ahead of this device's. */
let clockOffset = 0

/** Sets the clock by the `Date` header of a response, which is whole seconds, rounded down. */
export async function readServerTime() {
  const sentAt = Date.now()
  const { headers } = await fetch(apiAddress('/api/auth/me/is_connected'), { cache: 'no-store', credentials: 'include' })
  const serverTime = Date.parse(headers.get('date') ?? '')
  if (!Number.isNaN(serverTime)) clockOffset = serverTime + 500 - (sentAt + Date.now()) / 2
}

/** The time by the server's clock. */
export const serverNow = () => Date.now() + clockOffset

/** A running wait: `0:48`, `12:05`; in words from one hour on. */
export function formatTimer(milliseconds: number, language: Language) {
  const seconds = Math.floor(milliseconds / 1_000)
  if (seconds >= 3_600) return formatWait(seconds, language)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** A day of a conversation, with the name of the time zone of its times. */
export function formatDay(language: Language, instant: string) {
  const date = new Date(instant)
  const day = new Intl.DateTimeFormat(locales[language], { dateStyle: 'full' }).format(date)
  const zone = new Intl.DateTimeFormat(locales[language], { timeZoneName: 'short' })
    .formatToParts(date)
    .find(({ type }) => type === 'timeZoneName')
  return `${day} (${zone?.value ?? ''})`
}

export function useNow() {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), clockRefresh)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Whether so much time has passed since an instant. */
export function useElapsed(since: string | null, ms: number) {
  const [reached, setReached] = useState<string>()
  useEffect(() => {
    if (since === null) return
    const timer = setTimeout(() => setReached(since), Date.parse(since) + ms - serverNow())
    return () => clearTimeout(timer)
  }, [since, ms])
  return since !== null && reached === since
}

/** How long somebody is shown as typing after the last sign of it. */
export const typingShownMs = 4_000

/** True for some time after an instant. */
export function useRecent(at: number | undefined, forMs: number) {
  const [shownFor, setShownFor] = useState<number>()
  useEffect(() => {
    if (at === undefined) return
    setShownFor(at)
    const timer = setTimeout(() => setShownFor(undefined), forMs)
    return () => clearTimeout(timer)
  }, [at, forMs])
  return at !== undefined && shownFor === at
}
