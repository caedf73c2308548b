import type { ChatAvailability } from '#src/features/chat/contract.ts'
import { openChat } from '#src/features/chat/widget/launcher.tsx'
import type { HomeInformation, HomeMessage } from '#src/features/home/contract.ts'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageContext } from '#src/ui/page/page-context.ts'
import { describePage } from '#src/ui/page/page-meta.ts'
import { usePublicContext } from '#src/ui/page/public-context.ts'
import { pickText } from '#src/lib/language/language.ts'
import { getJson } from '#src/ui/api.ts'
import { useLanguage } from '#src/ui/language.tsx'
import { texts } from '../texts.ts'
import type { Route } from './+types/home-page.ts'
import type { HomeEditingProps } from './home-editing.tsx'
import { HomeView } from './home-view.tsx'
import type { HomeWords } from './home-words.ts'
import { wordsOfInformation, wordsOfMessage } from './home-words.ts'
import { useHomeEditing } from './use-home-editing.ts'

export async function loader({ context }: Route.LoaderArgs) {
  const { home, chat } = context.get(pageContext).services
  const [messages, informations, { hours }, availability] = await Promise.all([
    home.findMessages(),
    home.findInformations(),
    chat.findAvailability(),
    chat.findState(),
  ])
  return { messages, informations, availability, hours }
}

export async function clientLoader() {
  const [messages, informations, availability] = await Promise.all([
    getJson<HomeMessage[]>('/api/home_messages/home_message'),
    getJson<HomeInformation[]>('/api/home_informations/home_information'),
    getJson<ChatAvailability>('/public_api/chat/available-users'),
  ])
  return { messages, informations, availability, hours: availability.hours }
}

export const shouldRevalidate = revalidateOn('home')

export function meta({ matches }: Route.MetaArgs) {
  return describePage(matches, texts, 'metaTitle', 'metaDescription', '/')
}

export default function HomePage({ loaderData }: Route.ComponentProps) {
  const language = useLanguage()
  const editing = useHomeEditing()
  const { availability } = usePublicContext()
  const [message] = loaderData.messages
  const [information] = loaderData.informations
  const textOf = (words: HomeWords | null) => (words ? pickText(language, words.text, words.text_en) : '')
  const show = ({ message: banner, information: panel, ...tools }: Parameters<HomeEditingProps['children']>[0]) => (
    <HomeView
      onOpenChat={openChat}
      opening={{ ...(availability ?? loaderData.availability), hours: loaderData.hours }}
      message={textOf(banner)}
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
    message: message ? wordsOfMessage(message) : null,
    information: information ? wordsOfInformation(information) : null,
  })
}
