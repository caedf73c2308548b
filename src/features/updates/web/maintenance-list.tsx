import { defineTexts } from '#src/lib/language/texts.ts'
import { pickVariant } from '#src/lib/language/language.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { MaintenanceWindow } from '../contract.ts'
import { describeInstant } from './update-time.ts'
import { useOrigin } from '#src/ui/page/public-context.ts'
import { calendarFiles } from '../values.ts'

const maintenanceTexts = defineTexts({
  fr: {
    title: 'Entretien planifié',
    planned: 'Prévu',
    running: 'En cours',
    done: 'Terminé',
    standard: 'Nos services peuvent être interrompus quelques minutes.',
    sameDay: '{day}, de {from} à {until}',
    twoDays: 'du {day} à {from} au {lastDay} à {until}',
    touched: 'Services touchés : {names}',
    subscribe: 'S’abonner au calendrier des entretiens',
    download: 'Télécharger le fichier de calendrier',
  },
  en: {
    title: 'Scheduled maintenance',
    planned: 'Scheduled',
    running: 'In progress',
    done: 'Completed',
    standard: 'Our services may be interrupted for a few minutes.',
    sameDay: '{day}, {from} to {until}',
    twoDays: '{day} at {from} to {lastDay} at {until}',
    touched: 'Affected services: {names}',
    subscribe: 'Subscribe to the maintenance calendar',
    download: 'Download calendar file',
  },
})

const tones = { planned: 'brand', running: 'warn', done: 'ok' } as const

/** Maintenance windows on the public status page; renders nothing where there are none. */
export function MaintenanceList({ windows }: { windows: readonly MaintenanceWindow[] }) {
  const t = useTexts(maintenanceTexts)
  const language = useLanguage()
  if (windows.length === 0) return null
  const describe = ({ starts_at, ends_at }: MaintenanceWindow) => {
    const [start, end] = [describeInstant(starts_at, language), describeInstant(ends_at, language)]
    const values = { day: start.day, from: start.time, lastDay: end.day, until: end.time }
    return t(start.day === end.day ? 'sameDay' : 'twoDays', values)
  }
  return (
    <section className="mb-10" aria-labelledby="maintenance">
      <h2 id="maintenance" className="mb-4 text-2xl">
        {t('title')}
      </h2>
      <ul className="grid gap-4">
        {windows.map((window) => {
          const { text, lang } = pickVariant(language, window.message, window.message_en)
          return (
            <li key={window.id_update} className={`card p-5 ${window.state === 'running' ? 'border-2 border-lamp' : ''}`}>
              <p className="flex flex-wrap items-center gap-x-4 gap-y-2 font-bold">
                <Badge tone={tones[window.state]}>{t(window.state)}</Badge>
                <time dateTime={window.starts_at}>{describe(window)}</time>
              </p>
              <p className="mt-2 whitespace-pre-line text-ink-2" lang={lang}>
                {text || t('standard')}
              </p>
              {window.names[language].length > 0 && (
                <p className="mt-2 font-bold">{t('touched', { names: window.names[language].join(', ') })}</p>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

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
