import { isBlankHtml } from '#src/lib/text/html-text.ts'
import { Lamp } from '#src/ui/components/lamp.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { adminHomeTexts } from '../admin-texts.ts'
import type { HomeInformation, HomeMessage } from '../contract.ts'
import { reasonForDraftBanner, reasonForDraftPanel } from '../contract.ts'

/** What visitors of each language see of a banner or panel, named as its text. */
type Shown = 'shown' | 'shownInFrench' | 'notShown' | 'noFrenchTitle' | 'noFrenchText'

type Facts = { isShown: boolean; reason: 'title' | 'text' | null; isTranslated: boolean }

function shownFrom({ isShown, reason, isTranslated }: Facts): Shown {
  if (isShown) return isTranslated ? 'shown' : 'shownInFrench'
  if (reason === null) return 'notShown'
  return reason === 'title' ? 'noFrenchTitle' : 'noFrenchText'
}

const hasEnglish = (title: string, titleEn: string) => title.trim() === '' || titleEn.trim() !== ''

/** `message` is what is stored; null while there is none. */
export function shownOfBanner(message: HomeMessage | null, isShown: boolean): Shown {
  if (!message) return 'notShown'
  const isTranslated = hasEnglish(message.title, message.title_en) && !isBlankHtml(message.message_en)
  return shownFrom({ isShown, reason: reasonForDraftBanner(message), isTranslated })
}

/** The same of the information panel. */
export function shownOfPanel(panel: HomeInformation | null, isShown: boolean): Shown {
  if (!panel) return 'notShown'
  const { title, title_en, description, description_en } = panel
  const isTranslated = hasEnglish(title, title_en) && (isBlankHtml(description) || !isBlankHtml(description_en))
  return shownFrom({ isShown, reason: reasonForDraftPanel(panel), isTranslated })
}

type HomeHeadingProps = { id: string; title: string; hint: string; shown: Shown }

/** Name of this part of the home page, and what visitors of each language see of it now. */
export function HomeHeading({ id, title, hint, shown }: HomeHeadingProps) {
  const t = useTexts(adminHomeTexts)
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 id={id} className="text-2xl">
          {title}
        </h2>
        <Lamp on={shown === 'shown' || shown === 'shownInFrench'} className="text-sm font-bold text-ink-2">
          {t(shown)}
        </Lamp>
      </div>
      <p className="max-w-prose text-sm text-ink-2">{hint}</p>
    </div>
  )
}
