import { BusinessJsonLd } from '#src/features/site/web/pages/business-json-ld.tsx'
import { HomeAlarm } from './home-alarm.tsx'
import { HomeBoard } from './home-board.tsx'
import type { Availability } from './home-hero.tsx'
import { HomeHero } from './home-hero.tsx'
import { HomeInformationPanel } from './home-information-panel.tsx'
import { HomeServices } from './home-services.tsx'

type HomeViewProps = {
  /** HTML that the server cleaned, in the language of the page; null where no red code is on. */
  message: string | null
  information: { title: string; description: string } | null
  /** Null until it is known. */
  availability?: Availability | null
  onOpenChat?: () => void
}

export function HomeView({ message, information, availability = null, onOpenChat }: HomeViewProps) {
  return (
    <>
      {message && <HomeAlarm message={message} />}
      <div className="wrap">
        <HomeHero availability={availability} onOpenChat={onOpenChat} />
        {information && <HomeInformationPanel information={information} />}
        <HomeServices />
        <HomeBoard />
      </div>
      <BusinessJsonLd />
    </>
  )
}
