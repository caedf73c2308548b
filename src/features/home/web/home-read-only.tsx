import type { ReactNode } from 'react'
import { PreviewPair } from '#src/features/content/web/preview-pair.tsx'
import type { Language } from '#src/lib/language/language.ts'
import { pickText } from '#src/lib/language/language.ts'
import { useTexts } from '#src/ui/language.tsx'
import { adminHomeTexts } from '../admin-texts.ts'
import type { HomeInformation, HomeMessage } from '../contract.ts'
import { HomeAlarm } from './home-alarm.tsx'
import { HomeHeading } from './home-heading.tsx'
import { HomeInformationPanel } from './home-information-panel.tsx'

type HomeReadOnlyProps = { message: HomeMessage | null; information: HomeInformation | null }

/** The red code and the information panel for users with read access only. */
export function HomeReadOnly({ message, information }: HomeReadOnlyProps) {
  const t = useTexts(adminHomeTexts)
  return (
    <>
      <Part name="message" title={t('messageTitle')} isShown={message !== null && message.message !== ''}>
        {(language) => message && <HomeAlarm message={pickText(language, message.message, message.message_en)} />}
      </Part>
      <Part name="information" title={t('informationTitle')} isShown={information !== null}>
        {(language) =>
          information && (
            <HomeInformationPanel
              information={{
                title: pickText(language, information.title, information.title_en),
                description: pickText(language, information.description, information.description_en),
              }}
            />
          )
        }
      </Part>
    </>
  )
}

type PartProps = { name: string; title: string; isShown: boolean; children: (language: Language) => ReactNode }

function Part({ name, title, isShown, children }: PartProps) {
  const t = useTexts(adminHomeTexts)
  const id = `home-${name}`
  return (
    <section aria-labelledby={id} className="grid gap-5">
      <HomeHeading id={id} title={title} hint={t('readOnly')} isShown={isShown} />
      {isShown && <PreviewPair>{children}</PreviewPair>}
    </section>
  )
}
