import { company } from '#company/company.ts'
import { describeWeek, everyDay } from '#src/lib/time/business-hours.ts'
import { foreignZone } from '#src/lib/time/clock.ts'
import type { OpenDay } from '#src/lib/time/business-hours.ts'
import type { Language } from '#src/lib/language/language.ts'
import { locales } from '#src/lib/language/language.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { ChatAvailability } from '../contract.ts'
import type { NoticeProps } from './panel-notices.tsx'
import { Notice } from './panel-notices.tsx'
import { defineTexts } from '#src/lib/language/texts.ts'

/** What a visitor reads in the chat while it is closed. */
export const panelClosedTexts = defineTexts({
  fr: {
    shutTitle: 'Le clavardage est fermé',
    shutHours: 'Le clavardage est inactif. Nos techniciens clavardent de 8:00 à 17:00, du lundi au vendredi{zone}.',
    shutOtherHours: 'Le clavardage est inactif. Heures de nos techniciens : {hours}.',
    nextOpening: 'Réouverture : {time}.',
    allBusy: 'Aucun technicien n’est disponible pour l’instant.',
  },
  en: {
    shutTitle: 'The chat is closed',
    shutHours: 'The chat is inactive. Our technicians chat from 8:00 to 17:00, Monday to Friday{zone}.',
    shutOtherHours: 'The chat is inactive. Our technicians’ hours: {hours}.',
    nextOpening: 'Reopens: {time}.',
    allBusy: 'No technician is available right now.',
  },
})

/** The hours that the specification words itself. */
const isUsual = (week: readonly OpenDay[]) => describeWeek(week, 'en') === 'Monday to Friday, 8\u00a0AM to 5\u00a0PM'

type ClosedNoticeProps = NoticeProps & { hours: ChatAvailability['hours'] }

/** No technician is available: hours, next opening, phone and message form. */
export function ClosedNotice({ hours, ...rest }: ClosedNoticeProps) {
  const t = useTexts(panelClosedTexts)
  const language = useLanguage()
  const { week, next_opening: next } = hours
  const zone = foreignZone(hours, language)
  return (
    <Notice title={t('shutTitle')} {...rest}>
      <p>{isUsual(week) ? t('shutHours', { zone }) : t('shutOtherHours', { hours: describeWeek(week, language) + zone })}</p>
      <p className="mt-2">
        {next ? t('nextOpening', { time: openingTime(language, next, hours.time_zone, zone) }) : t('allBusy')}
      </p>
    </Notice>
  )
}

/** The service does not answer: the hours are those of the company. */
export function InactiveHours() {
  const t = useTexts(panelClosedTexts)
  const language = useLanguage()
  const { days, opens, closes } = company.hours
  const week = everyDay(days, opens, closes)
  return (
    <p className="mt-2">
      {isUsual(week) ? t('shutHours', { zone: '' }) : t('shutOtherHours', { hours: describeWeek(week, language) })}
    </p>
  )
}

export function openingTime(language: Language, iso: string, timeZone: string, zone: string) {
  const format = { weekday: 'long', day: 'numeric', month: 'long', hour: 'numeric', minute: '2-digit', timeZone } as const
  const words = new Intl.DateTimeFormat(locales[language], format).format(new Date(iso)) + zone
  // As on the other pages: a full hour has no minutes in French; and the hour stays on one line.
  return words.replace(/(?<=\d h) 00/, '').replace(/(?<=\d) (?=h|[AP]M)|(?<=h) (?=\d)/g, '\u00A0')
}
