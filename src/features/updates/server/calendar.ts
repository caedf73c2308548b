import { defineTexts, translator } from '#src/lib/language/texts.ts'
import ical, { ICalCalendarMethod, ICalEventStatus, ICalEventTransparency } from 'ical-generator'
import { company } from '#company/company.ts'
import type { Language } from '#src/lib/language/language.ts'
import { defaultLanguage, languages, pickText } from '#src/lib/language/language.ts'
import { etagOf, cacheControlFor, matchesEtag } from '#src/server/cache/shared-responses.ts'
import type { Routes } from '#src/server/types.ts'
import { requestOrigin } from '#src/server/http/xsrf.ts'
import { calendarFiles } from '../values.ts'
import type { WindowRow } from './service.ts'
import { nameWindow, readPublished, stateOf } from './service.ts'

const calendarTexts = defineTexts({
  fr: {
    name: 'Entretiens de {company}',
    description: 'Les fenêtres d’entretien annoncées par {company}.',
    summary: 'Entretien planifié : {company}',
    standard: 'Nos services peuvent être interrompus quelques minutes pendant cet entretien.',
    touched: 'Services touchés : {names}',
    cancelled: 'Annulé : {summary}',
  },
  en: {
    name: '{company} maintenance',
    description: 'The maintenance windows that {company} announces.',
    summary: 'Scheduled maintenance: {company}',
    standard: 'Our services may be interrupted for a few minutes during this maintenance.',
    touched: 'Affected services: {names}',
    cancelled: 'Canceled: {summary}',
  },
})

/** With the components that it concerns, in the language of the calendar. */
type NamedRow = WindowRow & { names: string[] }

const maxAge = 300
const refreshSeconds = 3_600

/** The maintenance windows as a calendar subscription, one per language. */
export const calendarRoutes: Routes = async (app) => {
  for (const language of languages) {
    const file = calendarFiles[language]
    app.get(`/${file}`, { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
      const rows = await Promise.all(
        (await readPublished(app)).map(async (row) => ({ ...row, names: (await nameWindow(app, row))[language] })),
      )
      const text = renderCalendar(requestOrigin(request), language, rows)
      const etag = etagOf(text)
      void reply
        .type('text/calendar; charset=utf-8')
        .header('content-disposition', `inline; filename="${file}"`)
        .header('cache-control', cacheControlFor(app, maxAge))
        .header('etag', etag)
      return matchesEtag(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(text)
    })
  }
}

/**
 * An iCalendar object (RFC 5545). A window that is no longer public stays as canceled, because calendars do not delete entries
 * by themselves.
 */
export function renderCalendar(origin: string, language: Language, rows: readonly NamedRow[]) {
  const t = translator(calendarTexts, language)
  const names = { company: company.name }
  const calendar = ical({
    prodId: `//Guichet//Maintenance//${language.toUpperCase()}`,
    name: t('name', names),
    description: t('description', names),
    method: ICalCalendarMethod.PUBLISH,
    scale: 'GREGORIAN',
    ttl: refreshSeconds,
  })
  const describe = ({ message, messageEn, names: touched }: NamedRow) => {
    const text = pickText(language, message, messageEn) || t('standard')
    return touched.length > 0 ? `${text}\n\n${t('touched', { names: touched.join(', ') })}` : text
  }
  for (const row of rows) {
    const cancelled = !row.public || stateOf(row, new Date()) === 'cancelled'
    const summary = t('summary', names)
    calendar.createEvent({
      id: row.uid,
      sequence: row.version - 1,
      stamp: row.updatedAt,
      lastModified: row.updatedAt,
      start: row.startsAt,
      end: row.endsAt,
      summary: cancelled ? t('cancelled', { summary }) : summary,
      // The text of a window that is no longer public is left out.
      description: cancelled ? null : withoutControls(describe(row)),
      url: `${origin}/reseau${language === defaultLanguage ? '' : `?lang=${language}`}`,
      status: cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      transparency: ICalEventTransparency.TRANSPARENT,
    })
  }
  return `${calendar.toString().trimEnd()}\r\n`
}

/** RFC 5545 allows no control characters in a text, which the library leaves in. */
const withoutControls = (text: string) => text.replaceAll(/\r\n?|[\u2028\u2029]/g, '\n').replaceAll(/[^\P{Cc}\t\n]/gu, '')
