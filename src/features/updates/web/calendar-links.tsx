import { useOrigin } from '#src/ui/page/use-origin.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { maintenanceTexts } from '../maintenance-texts.ts'
import { calendarFiles } from '../values.ts'

/** The maintenance calendar in the language of the page: to subscribe to, or as a file; two items of a list. */
export function CalendarLinks() {
  const t = useTexts(maintenanceTexts)
  const path = `/reseau/${calendarFiles[useLanguage()]}`
  const origin = useOrigin()
  return (
    <>
      <li>
        <a className="text-brand underline" href={`${origin.replace(/^https?/, 'webcal')}${path}`}>
          {t('subscribe')}
        </a>
      </li>
      <li>
        <a className="text-brand underline" href={path}>
          {t('download')}
        </a>
      </li>
    </>
  )
}
