import type { Availability } from '#src/lib/availability.ts'
import { describeWeek } from '#src/lib/time/business-hours.ts'
import { foreignZone } from '#src/lib/time/clock.ts'
import type { OpenDay } from '#src/lib/time/business-hours.ts'
import type { Language } from '#src/lib/language/language.ts'
import { locales, pickVariant } from '#src/lib/language/language.ts'
import { formatDateTime, withoutZero } from '#src/lib/time/date-time.ts'
import { Button } from '#src/ui/components/button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { ChatAvailability } from '../contract.ts'
import type { UpdateNotice } from '../protocol.ts'
import type { NoticeProps } from './panel-notices.tsx'
import type { SessionState } from './visitor-session.ts'
import { Notice, WayOut } from './panel-notices.tsx'
import { defineTexts } from '#src/lib/language/texts.ts'

/** What a visitor reads in the chat outside the hours, while nobody is free, where the service does not answer or refuses, and before an update. */
export const panelClosedTexts = defineTexts({
  fr: {
    update: 'Mise à jour prévue le {date}. Le clavardage pourrait être interrompu quelques minutes; vos messages sont conservés.',
    openTitle: 'Un technicien est disponible',
    start: 'Clavarder',
    limited: 'Trop de messages en peu de temps. Votre message sera renvoyé dans {count} {count|seconde|secondes}.',
    refused: 'Ce message n’a pas été accepté. Votre texte est conservé : modifiez-le, puis réessayez.',
    refusedBroken: 'Une erreur de notre côté a empêché l’envoi. Votre texte est conservé : réessayez.',
    closedTitle: 'Le clavardage est fermé',
    busyTitle: 'Aucun technicien n’est libre',
    busy: 'Laissez-nous un message : nous vous répondrons dès que possible.',
    wait: 'Attente habituelle : environ {count} min.',
    hours: 'Nos techniciens clavardent de 8:00 à 17:00, du lundi au vendredi{zone}.',
    otherHours: 'Heures de nos techniciens : {hours}.',
    inactive: 'Le clavardage est inactif.',
    nextOpening: 'Réouverture : {time}.',
  },
  en: {
    update: 'Update scheduled for {date}. Live chat may be interrupted for a few minutes; your messages are kept.',
    openTitle: 'A technician is available',
    start: 'Chat',
    limited: 'Too many messages in a short time. Your message will be resent in {count} {count|second|seconds}.',
    refused: 'This message was not accepted. Your text is kept: edit it, then try again.',
    refusedBroken: 'An error on our side prevented sending. Your text is kept: try again.',
    closedTitle: 'The chat is closed',
    busyTitle: 'No technician is free',
    busy: 'Leave us a message: we will reply as soon as possible.',
    wait: 'Usual wait: about {count} min.',
    hours: 'Our technicians chat from 8:00 to 17:00, Monday to Friday{zone}.',
    otherHours: 'Our technicians’ hours: {hours}.',
    inactive: 'The chat is inactive.',
    nextOpening: 'Reopens: {time}.',
  },
})

/** The hours that the specification words itself. */
const isUsual = (week: readonly OpenDay[]) => describeWeek(week, 'en') === 'Monday to Friday, 8\u00a0AM to 5\u00a0PM'

type ClosedNoticeProps = NoticeProps & { availability: ChatAvailability }

/** Outside the hours, or nobody free within them. Where somebody is there again, what the visitor writes stays and the chat is offered. */
export function ClosedNotice({ availability, ...rest }: ClosedNoticeProps) {
  const t = useTexts(panelClosedTexts)
  return (
    <Notice title={t(`${availability.state}Title`)} {...rest}>
      {availability.state === 'open' && (
        <Button wide onClick={rest.session.retry}>
          {t('start')}
        </Button>
      )}
      <ClosedReason {...availability} />
    </Notice>
  )
}

/** The hours and the next opening, and what can be done where nobody is free; nothing while somebody is there. */
function ClosedReason({ state, expected_minutes: minutes, next_opening: next, hours }: ChatAvailability) {
  const t = useTexts(panelClosedTexts)
  const language = useLanguage()
  const zone = foreignZone(hours, language)
  if (state === 'open') return null
  return (
    <>
      {state === 'busy' && (
        <p className="mb-2">
          {t('busy')} {minutes !== null && <span>{t('wait', { count: minutes })}</span>}
        </p>
      )}
      <HoursText week={hours.week} zone={zone} />
      {next && <p className="mt-2">{t('nextOpening', { time: openingTime(language, next, hours.time_zone, zone) })}</p>}
    </>
  )
}

/** In the form of a visitor who had not begun when the last technician left. */
export function ClosedMeanwhile({ session, availability, onLeave }: ClosedNoticeProps) {
  const t = useTexts(panelClosedTexts)
  return (
    <>
      <p className="mb-2 font-bold">{t(`${availability.state}Title`)}</p>
      <ClosedReason {...availability} />
      <WayOut session={session} onLeave={onLeave} />
    </>
  )
}

/** The service does not answer: the hours are those that the page knows. */
export function InactiveHours(availability: Availability) {
  const t = useTexts(panelClosedTexts)
  const zone = foreignZone(availability, useLanguage())
  return (
    <div className="mt-2">
      <p>{t('inactive')}</p>
      <HoursText week={availability.week} zone={zone} />
    </div>
  )
}

function HoursText({ week, zone }: { week: readonly OpenDay[]; zone: string }) {
  const t = useTexts(panelClosedTexts)
  const language = useLanguage()
  return <p>{isUsual(week) ? t('hours', { zone }) : t('otherHours', { hours: describeWeek(week, language) + zone })}</p>
}

/** Why a message was not taken. */
export function RefusalText({ code, wait }: NonNullable<SessionState['sendRefusal']>) {
  const t = useTexts(panelClosedTexts)
  return code === 'limited' ? t('limited', { count: wait }) : t(code === 'invalid' ? 'refused' : 'refusedBroken')
}

/** A system update that is announced to visitors. */
export function UpdateNoticeText({ update }: { update: UpdateNotice }) {
  const t = useTexts(panelClosedTexts)
  const language = useLanguage()
  const message = pickVariant(language, update.message, update.message_en)
  const date = formatDateTime(update.next_update, language, { month: 'long' })
  return (
    <p className="border-t border-line bg-surface px-5 py-3 text-sm">
      <span>{t('update', { date })}</span> {message.text && <span lang={message.lang}>{message.text}</span>}
    </p>
  )
}

export function openingTime(language: Language, iso: string, timeZone: string, zone: string) {
  const format = { weekday: 'long', day: 'numeric', month: 'long', hour: 'numeric', minute: '2-digit', timeZone } as const
  const words = withoutZero(new Intl.DateTimeFormat(locales[language], format).format(new Date(iso))) + zone
  // As on the other pages: a full hour has no minutes in French; and the hour stays on one line.
  return words.replace(/(?<=\d h) 00/, '').replace(/(?<=\d) (?=h|[AP]M)|(?<=h) (?=\d)/g, '\u00A0')
}
