import type { ChatAvailability } from '#src/features/chat/values.ts'
import { openChat } from '#src/features/chat/web/open-chat.ts'
import type { HomeInformation, HomeMessage } from '#src/features/home/contract.ts'
import { pageContext } from '#src/features/site/web/page-context.ts'
import { describePage } from '#src/features/site/web/page-meta.ts'
import { pickText } from '#src/lib/language.ts'
import { getJson } from '#src/ui/api.ts'
import { useLanguage } from '#src/ui/language.tsx'
import { texts } from '../texts.ts'
import type { Route } from './+types/home-page.ts'
import { HomeView } from './home-view.tsx'

export async function loader({ context }: Route.LoaderArgs) {
  const { home, chat } = context.get(pageContext).services
  const [messages, informations, availability] = await Promise.all([
    home.findMessages(),
    home.findInformations(),
    chat.findAvailability(),
  ])
  return { messages, informations, availability }
}

export async function clientLoader() {
  const [messages, informations, availability] = await Promise.all([
    getJson<HomeMessage[]>('/api/home_messages/home_message'),
    getJson<HomeInformation[]>('/api/home_informations/home_information'),
    getJson<ChatAvailability>('/public_api/chat/available-users'),
  ])
  return { messages, informations, availability }
}

export function meta({ matches }: Route.MetaArgs) {
  return describePage(matches, texts, 'metaTitle', 'metaDescription', '/')
}

export default function HomePage({ loaderData }: Route.ComponentProps) {
  const language = useLanguage()
  const [message] = loaderData.messages
  const [information] = loaderData.informations
  const { open, user_count: userCount, hours } = loaderData.availability
  return (
    <HomeView
      onOpenChat={openChat}
      availability={{ open, userCount, ...(hours.closes_at ? { until: hours.closes } : {}) }}
      message={message ? pickText(language, message.message, message.message_en) : null}
      information={
        information
          ? {
              title: pickText(language, information.title, information.title_en),
              description: pickText(language, information.description, information.description_en),
            }
          : null
      }
    />
  )
}
