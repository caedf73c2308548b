import { Lamp } from '#src/ui/components/lamp.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { adminHomeTexts } from '../admin-texts.ts'

type HomeHeadingProps = { id: string; title: string; hint: string; isShown: boolean }

/** What part of the home page this is, and whether visitors see it now. */
export function HomeHeading({ id, title, hint, isShown }: HomeHeadingProps) {
  const t = useTexts(adminHomeTexts)
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 id={id} className="text-2xl">
          {title}
        </h2>
        <Lamp on={isShown} className="text-sm font-bold text-ink-2">
          {t(isShown ? 'shown' : 'notShown')}
        </Lamp>
      </div>
      <p className="max-w-prose text-sm text-ink-2">{hint}</p>
    </div>
  )
}
