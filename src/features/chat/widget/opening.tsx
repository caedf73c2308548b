import { company } from '#company/company.ts'
import { clock, clockIn, foreignZone } from '#src/lib/time/clock.ts'
import { locales } from '#src/lib/language/language.ts'
import { defineTexts } from '#src/lib/language/texts.ts'
import type { Availability } from '#src/lib/availability.ts'
import { lampOf } from '#src/lib/availability.ts'
import { useHydrated } from '#src/ui/first-load.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'

/** The state of the chat in words, on every public page. */
export const openingTexts = defineTexts({
  fr: {
    emergency: 'Avis urgent',
    openUntil: 'Ouvert jusqu’à {time}',
    technicians: '{count} {count|technicien disponible|techniciens disponibles}',
    busy: 'Aucun technicien n’est libre. Laissez-nous un message.',
    wait: 'Attente habituelle : environ {count} min.',
    closed: 'Clavardage fermé.',
    closedUntil: 'Clavardage fermé, réouverture {day} à {time}.',
    urgent: 'Urgence, jour et nuit :',
  },
  en: {
    emergency: 'Urgent notice',
    openUntil: 'Open until {time}',
    technicians: '{count} {count|technician|technicians} available',
    busy: 'No technician is free. Leave us a message.',
    wait: 'Usual wait: about {count} min.',
    closed: 'Live chat is closed.',
    closedUntil: 'Live chat is closed and reopens {day} at {time}.',
    urgent: 'Urgent, day and night:',
  },
})

type OpeningSignProps = { availability: Availability | null }

const rays = { open: 'm5.5 17.5-2 3M12 19v3m6.5-4.5 2 3', busy: 'M6.5 21h0m5.5 0h0m5.5 0h0', closed: '' }

/** The lamp beside its text, which says the same. */
export function Opening({ availability }: { availability: Availability }) {
  return (
    <span className="flex gap-3">
      <OpeningSign availability={availability} />
      <OpeningText availability={availability} />
    </span>
  )
}

/** The lamp: lit with rays, half lit with dots, out, or a warning sign. */
export function OpeningSign({ availability }: OpeningSignProps) {
  const lamp = lampOf(availability)
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={`opening-sign opening-${lamp}`}>
      {lamp === 'emergency' ? (
        <path d="M12 3 2 20.5h20zm0 6v5m0 3.2h0" />
      ) : (
        <>
          <path d="M12 2v4M3.5 14a8.5 8 0 0 1 17 0z" />
          <path d="M8.5 14a3.5 3.5 0 0 0 7 0" />
          <path d={rays[lamp]} />
        </>
      )}
    </svg>
  )
}

/** Until when it is open and how many answer, the usual wait, or when it opens again and the number for what is urgent. */
function OpeningText({ availability }: { availability: Availability }) {
  const t = useTexts(openingTexts)
  const text = useOpeningText(availability)
  return (
    <span>
      {/* In its own element: browser translation replaces text nodes, which React could then not update. */}
      {availability.emergency && <strong>{`${t('emergency')}. `}</strong>}
      <span key={text}>{text}</span>
      {availability.state === 'closed' && (
        <span>
          <span key={t('urgent')}>{` ${t('urgent')} `}</span>
          <PhoneLink />
        </span>
      )}
    </span>
  )
}

/** In one line, in the colour of its text. */
export function PhoneLink() {
  const { tollFree } = company.phones
  return (
    <a href={`tel:${tollFree.e164}`} translate="no" className="font-bold whitespace-nowrap underline">
      {tollFree.display}
    </a>
  )
}

function useOpeningText({ state, user_count: count, expected_minutes: minutes, ...times }: Availability) {
  const t = useTexts(openingTexts)
  const language = useLanguage()
  const isReady = useHydrated()
  const { next_opening: next, closes_at: closes, time_zone: timeZone } = times
  // The server does not know the visitor's time.
  const zone = isReady ? foreignZone(times, language) : ''
  const hourOf = (at: Date) => clock(clockIn(timeZone, at), language) + zone
  if (state === 'closed') {
    if (!next) return t('closed')
    const at = new Date(next)
    const day = new Intl.DateTimeFormat(locales[language], { weekday: 'long', timeZone }).format(at)
    return t('closedUntil', { day, time: hourOf(at) })
  }
  if (state === 'busy') return t('busy') + (minutes === null ? '' : ` ${t('wait', { count: minutes })}`)
  const texts = [closes && t('openUntil', { time: hourOf(new Date(closes)) }), t('technicians', { count })]
  return texts.filter(Boolean).join(' · ')
}
