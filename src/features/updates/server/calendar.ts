import { company } from '#company/company.ts'
import { renderCalendar } from '#src/lib/time/icalendar.ts'
import type { Language } from '#src/lib/language/language.ts'
import { defaultLanguage, languages, pickText } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { matchesEtag } from '#src/server/cache/front-cache.ts'
import { etagOf, keepFor } from '#src/server/cache/shared-answers.ts'
import type { Routes } from '#src/server/types.ts'
import { requestOrigin } from '#src/server/http/xsrf.ts'
import { calendarTexts } from '../calendar-texts.ts'
import { calendarFiles } from '../values.ts'
import type { WindowRow } from './service.ts'
import { readPublished, stateOf } from './service.ts'

const maxAge = 300
const refresh = 'PT1H'

/** The maintenance windows as a calendar to subscribe to, one in each language. */
export const calendarRoutes: Routes = async (app) => {
  for (const language of languages) {
    const file = calendarFiles[language]
    app.get(`/${file}`, { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
      const rows = await readPublished(app)
      const text = render(requestOrigin(request), language, rows)
      const etag = etagOf(text)
      void reply
        .type('text/calendar; charset=utf-8')
        .header('content-disposition', `inline; filename="${file}"`)
        .header('cache-control', keepFor(app, maxAge))
        .header('etag', etag)
      return matchesEtag(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(text)
    })
  }
}

function render(origin: string, language: Language, rows: readonly WindowRow[]) {
  const t = translator(calendarTexts, language)
  const names = { company: company.name }
  const url = `${origin}/reseau${language === defaultLanguage ? '' : `?lang=${language}`}`
  return renderCalendar({
    product: `-//Guichet//Maintenance//${language.toUpperCase()}`,
    name: t('name', names),
    description: t('description', names),
    refresh,
    events: rows.map((row) => {
      const cancelled = !row.public || stateOf(row, new Date()) === 'cancelled'
      const summary = t('summary', names)
      return {
        uid: row.uid,
        sequence: row.version - 1,
        changedAt: row.updatedAt,
        startsAt: row.startsAt,
        endsAt: row.endsAt,
        summary: cancelled ? t('cancelled', { summary }) : summary,
        // The words of a window that is no longer public are left out.
        description: cancelled ? '' : pickText(language, row.message, row.messageEn) || t('standard'),
        url,
        cancelled,
      }
    }),
  })
}
