import { launcherTexts, chatButton } from '#src/features/chat/widget/launcher.tsx'
import type { openChat } from '#src/features/chat/widget/launcher.tsx'
import counterScene from '#src/ui/illustrations/counter.svg'
import { clock, clockIn } from '#src/lib/time/describe-hours.ts'
import { foreignZone } from '#src/lib/time/foreign-zone.ts'
import type { Zone } from '#src/lib/time/foreign-zone.ts'
import { locales } from '#src/lib/language/language.ts'
import type { Availability } from '#src/server/live/events.ts'
import { ButtonLink } from '#src/ui/components/button.tsx'
import { Lamp } from '#src/ui/components/lamp.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { useHydrated } from '#src/ui/use-hydrated.ts'
import { texts } from '../texts.ts'

export type Opening = Availability & {
  hours: Zone & { time_zone: string; closes_at: string | null }
}

type HomeHeroProps = { opening: Opening | null; onOpenChat?: typeof openChat }

export function HomeHero({ opening, onOpenChat }: HomeHeroProps) {
  const t = useTexts(texts)
  const launcher = useTexts(launcherTexts)
  const isReady = useHydrated()
  const state = opening?.state ?? 'open'
  return (
    <section className="grid items-center gap-x-12 gap-y-10 py-12 md:py-16 lg:grid-cols-[1.1fr_1fr]">
      <div>
        <h1>
          <span className="block text-balance">{`${t('title')} `}</span>
          <span className="block text-balance">{t(state === 'open' ? 'openThen' : 'laterThen')}</span>
        </h1>
        <p className="mt-6 max-w-xl text-lg text-ink-2">{t('lead')}</p>
        <div className="mt-8 flex flex-wrap gap-3">
          {onOpenChat && (
            <ButtonLink to="/appel-de-service" className="needs-script" {...chatButton(isReady)} onClick={onOpenChat}>
              {state === 'open' ? t('chat') : launcher('leaveMessage')}
            </ButtonLink>
          )}
          <ButtonLink to="/appel-de-service" variant={onOpenChat ? 'secondary' : 'primary'}>
            {t('serviceCall')}
          </ButtonLink>
        </div>
        {/* Reserves the height of the line until its text is loaded. */}
        <p className="mt-6 min-h-7 text-ink-2">
          {opening && (
            <Lamp on={state === 'open'}>
              <OpeningText opening={opening} />
            </Lamp>
          )}
        </p>
      </div>
      {/* The lamp tells what is alive: out while nobody is at the counter. */}
      <img
        src={state === 'open' ? counterScene : `${counterScene}#out`}
        width="640"
        height="600"
        fetchPriority="high"
        alt={t('scene')}
        className="scene"
      />
    </section>
  )
}

function OpeningText({ opening }: { opening: Opening }) {
  const text = useOpeningText(opening)
  // An element of its own: a translated page keeps no text that React could change.
  return <span key={text}>{text}</span>
}

function useOpeningText({ state, user_count: count, next_opening: next, hours }: Opening) {
  const t = useTexts(texts)
  const language = useLanguage()
  const isReady = useHydrated()
  // The server does not know the reader's clock.
  const zone = isReady ? foreignZone(hours, language) : ''
  const timeZone = hours.time_zone
  const hourOf = (at: Date) => clock(clockIn(timeZone, at), language) + zone
  if (state === 'closed' && next) {
    const at = new Date(next)
    const day = new Intl.DateTimeFormat(locales[language], { weekday: 'long', timeZone }).format(at)
    return t('closedUntil', { day, time: hourOf(at) })
  }
  if (state !== 'open') return t('busy')
  const text = [hours.closes_at && t('openUntil', { time: hourOf(new Date(hours.closes_at)) }), t('technicians', { count })]
  return text.filter(Boolean).join(' · ')
}
