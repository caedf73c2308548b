import { useOrigin } from '#src/features/site/web/pages/use-origin.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { maintenanceTexts } from '../maintenance-texts.ts'
import { calendarFiles } from '../values.ts'

/** The maintenance calendar in the language of the page: to subscribe to, or as a file. */
export function CalendarLinks() {
  const t = useTexts(maintenanceTexts)
  const path = `/reseau/${calendarFiles[useLanguage()]}`
  const origin = useOrigin()
  return (
    <p className="mt-8 flex flex-wrap gap-x-6 gap-y-2">
      <a className="font-bold text-brand underline" href={`${origin.replace(/^https?/, 'webcal')}${path}`}>
        {t('subscribe')}
      </a>
      <a className="text-brand underline" href={path}>
        {t('download')}
      </a>
    </p>
  )
}
