import { Banner } from '#src/ui/components/banner.tsx'
import { ArrowIcon, ChevronIcon } from '#src/ui/components/icons.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import { texts } from '../texts.ts'
import type { HomeInformation, HomeMessage } from '../contract.ts'
import type { Publication } from '#src/lib/schemas.ts'

/** The emergency banner; its title is optional. */
export function HomeAlarm({ title, message }: { title?: string; message: string }) {
  const t = useTexts(texts)
  return (
    <Banner
      label={t('alarm')}
      action={
        <Link to="/reseau" className="inline-flex flex-none items-center gap-2 py-1 underline underline-offset-4">
          <span>{t('seeNetwork')}</span>
          <ArrowIcon />
        </Link>
      }
    >
      {title && <p className="text-lg">{title}</p>}
      <RichText html={message} className="prose prose-plain" />
    </Banner>
  )
}

type HomeInformationPanelProps = { information: { title: string; description: string } }

/** The information panel, collapsible without JavaScript. */
export function HomeInformationPanel({ information }: HomeInformationPanelProps) {
  return (
    <details open className="rounded-card bg-brand-soft px-6">
      <summary className="flex min-h-14 items-center justify-between gap-4 py-3 font-bold">
        <h2 className="text-lg tracking-normal">{information.title}</h2>
        <ChevronIcon className="panel-sign" />
      </summary>
      <RichText html={information.description} className="prose pb-5" />
    </details>
  )
}

/** The edited banner or panel in both languages, with the version that it is based on. */
export type HomeDraft = {
  id: number | null
  version: number | undefined
  title: string
  title_en: string
  text: string
  text_en: string
} & Publication

export function draftOfMessage(stored: HomeMessage): HomeDraft {
  const { id_home_message: id, message: text, message_en: text_en, state: _state, english_older: _older, ...rest } = stored
  return { id, text, text_en, ...rest }
}

export function draftOfInformation(stored: HomeInformation): HomeDraft {
  const { id_home_information: id, description: text, description_en: text_en, state: _s, english_older: _o, ...rest } = stored
  return { id, text, text_en, ...rest }
}
