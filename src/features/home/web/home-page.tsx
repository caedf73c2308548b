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
  const { home } = context.get(pageContext).services
  const [messages, informations] = await Promise.all([home.findMessages(), home.findInformations()])
  return { messages, informations }
}

export async function clientLoader() {
  const [messages, informations] = await Promise.all([
    getJson<HomeMessage[]>('/api/home_messages/home_message'),
    getJson<HomeInformation[]>('/api/home_informations/home_information'),
  ])
  return { messages, informations }
}

export function meta({ matches }: Route.MetaArgs) {
  return describePage(matches, texts, 'metaTitle', 'metaDescription', '/')
}

export default function HomePage({ loaderData }: Route.ComponentProps) {
  const language = useLanguage()
  const [message] = loaderData.messages
  const [information] = loaderData.informations
  return (
    <HomeView
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
