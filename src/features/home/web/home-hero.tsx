import type { openChat } from '#src/features/chat/web/visitor/open-chat.ts'
import { chatAskedId } from '#src/features/chat/web/visitor/open-chat.ts'
import counterScene from '#src/features/site/web/illustrations/counter.svg'
import type { OpenDay } from '#src/lib/business-hours.ts'
import { clock, describeWeek } from '#src/lib/describe-hours.ts'
import { Button, ButtonLink } from '#src/ui/button.tsx'
import { Lamp } from '#src/ui/lamp.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { texts } from '../texts.ts'

export type Availability = {
  open: boolean
  userCount: number
  /** When the chat is open in a week. */
  week: readonly OpenDay[]
  /** Closing time of the counter, `HH:mm`, while its hours run. */
  until?: string | null
}

type HomeHeroProps = { availability: Availability | null; onOpenChat?: typeof openChat }

export function HomeHero({ availability, onOpenChat }: HomeHeroProps) {
  const t = useTexts(texts)
  return (
    <section className="grid items-center gap-x-12 gap-y-10 py-12 md:py-16 lg:grid-cols-[1.1fr_1fr]">
      <div>
        <h1>
          <span className="block text-balance">{t('title')}</span> <span className="block text-balance">{t('titleThen')}</span>
        </h1>
        <p className="mt-6 max-w-xl text-lg text-ink-2">{t('lead')}</p>
        <div className="mt-8 flex flex-wrap gap-3">
          {onOpenChat && (
            <Button className="needs-script" popoverTarget={chatAskedId} onClick={onOpenChat}>
              {t('chat')}
            </Button>
          )}
          <ButtonLink to="/appel-de-service" variant={onOpenChat ? 'secondary' : 'primary'}>
            {t('serviceCall')}
          </ButtonLink>
        </div>
        {/* The line keeps its place before its words come. */}
        <p className="mt-6 min-h-7 text-ink-2">{availability && <Opening availability={availability} />}</p>
      </div>
      {/* The lamp tells what is alive: out while nobody is at the counter. */}
      <img
        src={availability?.open === false ? `${counterScene}#out` : counterScene}
        width="640"
        height="600"
        fetchPriority="high"
        alt={t('scene')}
        className="scene"
      />
    </section>
  )
}

function Opening({ availability }: { availability: Availability }) {
  const t = useTexts(texts)
  const language = useLanguage()
  if (!availability.open) {
    return <Lamp on={false}>{t('closed', { hours: describeWeek(availability.week, language) })}</Lamp>
  }
  const words = [
    availability.until && t('openUntil', { time: clock(availability.until, language) }),
    t('technicians', { count: availability.userCount }),
  ]
  return <Lamp on>{words.filter(Boolean).join(' · ')}</Lamp>
}
