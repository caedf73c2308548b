import type { ReactNode } from 'react'
import type { openChat } from '#src/features/chat/widget/launcher.tsx'
import { BusinessJsonLd } from '#src/ui/page/business-json-ld.tsx'
import { HomeAlarm } from './home-alarm.tsx'
import { HomeBoard } from './home-board.tsx'
import type { Opening } from './home-hero.tsx'
import { HomeHero } from './home-hero.tsx'
import { HomeInformationPanel } from './home-information-panel.tsx'
import { HomeServices } from './home-services.tsx'

type HomeViewProps = {
  /** HTML that the server cleaned, in the language of the page; null where no red code is on. */
  message: string | null
  information: { title: string; description: string } | null
  /** Null until it is known. */
  opening?: Opening | null
  onOpenChat?: typeof openChat
  /** For staff who may edit, under what they edit. */
  messageTools?: ReactNode
  informationTools?: ReactNode
}

export function HomeView(props: HomeViewProps) {
  const { message, information, opening = null, onOpenChat, messageTools, informationTools } = props
  return (
    <>
      <div aria-live="polite">{message && <HomeAlarm message={message} />}</div>
      <div className="wrap">
        {messageTools}
        <HomeHero opening={opening} onOpenChat={onOpenChat} />
        <div aria-live="polite">{information && <HomeInformationPanel information={information} />}</div>
        {informationTools}
        <HomeServices />
        <HomeBoard />
      </div>
      <BusinessJsonLd />
    </>
  )
}
