import { useEffect, useRef } from 'react'
import { pickVariant } from '#src/lib/language/language.ts'
import { AlertIcon } from '#src/ui/components/icons.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { UpdateAlert } from '../contract.ts'
import { alertTexts } from '../texts.ts'
import { adviceSpan, phaseOf } from '../values.ts'
import { useNow } from './use-now.ts'
import { describeCountdown, describeInstant, describeWhen } from './update-time.ts'
import './updates.css'

/** Across the administration: when the update is, how long until then, what to do around it. */
export function UpdateBanner({ alert }: { alert: UpdateAlert }) {
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

/** Tells the frame how much of the window the banner takes. */
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
