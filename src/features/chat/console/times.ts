import { useEffect, useState } from 'react'
import type { Language } from '#src/lib/language/language.ts'
import { locales } from '#src/lib/language/language.ts'
import { clockRefresh } from '../values.ts'

/** HH:mm. */
export function formatClock(language: Language, instant: string) {
  return new Intl.DateTimeFormat(locales[language], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
    .format(new Date(instant))
    .replace(/\s*h\s*/, ':')
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
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return `${hours}\u00A0h\u00A0${language === 'fr' ? String(rest).padStart(2, '0') : `${rest}\u00A0min`}`
}

export function useNow() {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), clockRefresh)
    return () => clearInterval(timer)
  }, [])
  return now
}

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
