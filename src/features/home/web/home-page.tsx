import type { ComponentType, ReactNode } from 'react'
import { useEffect, useState } from 'react'
import type { ChatAvailability } from '#src/features/chat/contract.ts'
import { openChat } from '#src/features/chat/widget/launcher.tsx'
import type { HomeInformation, HomeMessage } from '#src/features/home/contract.ts'
import { profileStorageKey, signedInKey } from '#src/features/people/values.ts'
import { pickText } from '#src/lib/language/language.ts'
import { getJson } from '#src/ui/api.ts'
import { Ticket } from '#src/ui/components/card.tsx'
import { ArrowIcon, CloudIcon, CodeIcon, PersonIcon, ServerIcon } from '#src/ui/components/icons.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { BusinessJsonLd } from '#src/ui/page/business-json-ld.tsx'
import { pageContext } from '#src/ui/page/page-context.ts'
import { describePage } from '#src/ui/page/page-meta.ts'
import type { PublicContext } from '#src/ui/page/public-context.ts'
import { usePublicContext } from '#src/ui/page/public-context.ts'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import { deviceStorage, tabStorage } from '#src/ui/storage.ts'
import { texts } from '../texts.ts'
import type { Route } from './+types/home-page.ts'
import { HomeAlarm, HomeInformationPanel, draftOfInformation, draftOfMessage } from './home-notices.tsx'
import { HomeBoard, HomeHero } from './home-sections.tsx'
import type { HomeEditingProps } from './home-editing.tsx'
import type { Schedule } from '#src/lib/time/business-hours.ts'
import type { Availability } from '#src/lib/availability.ts'
import type { HomeDraft } from './home-notices.tsx'

export async function loader({ context }: Route.LoaderArgs) {
  const { home, chat } = context.get(pageContext).services
  const [messages, informations, { hours, usual_minutes: usualMinutes }, availability] = await Promise.all([
    home.findMessages(),
    home.findInformations(),
    chat.findAvailability(),
    chat.findState(),
  ])
  return { messages, informations, availability, hours, usualMinutes }
}

export async function clientLoader() {
  const [messages, informations, availability] = await Promise.all([
    getJson<HomeMessage[]>('/api/home_messages/home_message'),
    getJson<HomeInformation[]>('/api/home_informations/home_information'),
    getJson<ChatAvailability>('/public_api/chat/available-users'),
  ])
  const { hours, usual_minutes: usualMinutes } = availability
  return { messages, informations, availability: { ...availability, ...hours }, hours, usualMinutes }
}

export const shouldRevalidate = revalidateOn('home')

export function meta({ matches }: Route.MetaArgs) {
  return describePage(matches, texts, 'metaTitle', 'metaDescription', '/')
}

export default function HomePage({ loaderData }: Route.ComponentProps) {
  const language = useLanguage()
  const editing = useHomeEditing()
  const { availability, network } = usePublicContext()
  const [message] = loaderData.messages
  const [information] = loaderData.informations
  const textOf = (draft: HomeDraft | null) => (draft ? pickText(language, draft.text, draft.text_en) : '')
  const show = ({ message: banner, information: panel, ...tools }: Parameters<HomeEditingProps['children']>[0]) => (
    <HomeView
      onOpenChat={openChat}
      availability={availability ?? loaderData.availability}
      hours={loaderData.hours}
      usualMinutes={loaderData.usualMinutes}
      network={network}
      message={textOf(banner)}
      title={banner ? pickText(language, banner.title, banner.title_en) : ''}
      strip={network?.strip[language]}
      information={panel && { title: pickText(language, panel.title, panel.title_en), description: textOf(panel) }}
      {...tools}
    />
  )
  if (editing) {
    return (
      <editing.Page message={message} information={information}>
        {show}
      </editing.Page>
    )
  }
  return show({
    message: message ? draftOfMessage(message) : null,
    information: information ? draftOfInformation(information) : null,
  })
}

/** Loads the editors for staff with write access, in a new tab too; visitors never load them. */
function useHomeEditing() {
  const [editing, setEditing] = useState<{ Page: ComponentType<HomeEditingProps> } | null>(null)
  useEffect(() => {
    if (!(tabStorage.read(profileStorageKey) || deviceStorage.read(signedInKey))) return
    import('./home-editing.tsx')
      .then(async ({ HomeEditing, mayWriteHome }) => {
        if (await mayWriteHome()) setEditing({ Page: HomeEditing })
      })
      .catch(console.error)
  }, [])
  return editing
}

type HomeViewProps = {
  /** Sanitized HTML in the language of the page; null where no banner is shown. */
  message: string | null
  title: string
  /** The status of the networks, where something is wrong. */
  strip?: string | undefined
  information: { title: string; description: string } | null
  /** Null until loaded. */
  availability?: Availability | null
  hours?: Schedule | null
  onOpenChat?: typeof openChat
  usualMinutes: number | null
  network: PublicContext['network']
  /** For staff with write access: what is edited in its place, and buttons below it. */
  messageEditor?: ReactNode
  informationEditor?: ReactNode
  messageTools?: ReactNode
  informationTools?: ReactNode
}

function HomeView(props: HomeViewProps) {
  const {
    message,
    title,
    strip,
    information,
    availability = null,
    hours = null,
    onOpenChat,
    messageEditor,
    informationEditor,
    messageTools,
    informationTools,
  } = props
  return (
    <>
      {messageEditor || (
        <div aria-live="polite">
          {message ? <HomeAlarm title={title} message={message} /> : strip && <RichText html={strip} className="wrap pt-4" />}
        </div>
      )}
      <div className="wrap">
        {messageTools}
        <HomeHero availability={availability} onOpenChat={onOpenChat} />
        {informationEditor || <div aria-live="polite">{information && <HomeInformationPanel information={information} />}</div>}
        {informationTools}
        <HomeServices />
        <HomeBoard network={props.network} usualMinutes={props.usualMinutes} />
      </div>
      <BusinessJsonLd hours={hours} />
    </>
  )
}

const services = [
  { to: '/cloud', Icon: CloudIcon, title: 'cloud', text: 'cloudText' },
  { to: '/service', Icon: PersonIcon, title: 'service', text: 'serviceText' },
  { to: '/programmation', Icon: CodeIcon, title: 'programming', text: 'programmingText' },
  { to: '/infrastructure', Icon: ServerIcon, title: 'equipment', text: 'equipmentText' },
] as const

/** The four services, as tickets torn from the counter's roll. */
export function HomeServices() {
  const t = useTexts(texts)
  return (
    <section aria-labelledby="services-title" className="pt-20">
      <h2 id="services-title" className="max-w-xl">
        {t('servicesTitle')}
      </h2>
      <ul className="mt-8 grid gap-5 sm:grid-cols-2 lg:grid-cols-4">
        {services.map(({ to, Icon, title, text }, index) => (
          <li key={to} className="grid">
            <Ticket
              className="group relative transition-transform hover:-translate-y-1"
              stub={
                <>
                  <Icon size={36} className="text-brand" />
                  <span aria-hidden="true" className="numeral text-xl font-extrabold text-ink-2">
                    {`0${index + 1}`}
                  </span>
                </>
              }
            >
              <h3>{t(title)}</h3>
              <p className="mt-2 grow text-ink-2">{t(text)}</p>
              {/* The whole ticket is the link's target; its name says where it leads. */}
              <Link
                to={to}
                aria-label={t('discoverService', { name: t(title) })}
                className="mt-4 inline-flex items-center gap-2 font-bold text-brand after:absolute after:inset-0 after:rounded-card"
              >
                <span>{t('discover')}</span>
                <ArrowIcon className="transition-transform group-hover:translate-x-1" />
              </Link>
            </Ticket>
          </li>
        ))}
      </ul>
    </section>
  )
}
