import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { describe, expect, test, vi } from 'vitest'
import type { Availability } from '#src/lib/availability.ts'
import { describeWeek, everyDay } from '#src/lib/time/business-hours.ts'
import { LanguageProvider } from '#src/ui/language.tsx'
import type { ChatAvailability } from '../contract.ts'
import { ClosedMeanwhile, ClosedNotice, InactiveHours, openingTime, panelClosedTexts } from './panel-closed.tsx'
import { createVisitorSession } from './visitor-session.ts'

const monday = '2026-11-23T13:00:00.000Z'

test('the next opening has its hour, and its zone where it is not that of the reader', () => {
  const time = (zone: string) => openingTime('en', monday, 'America/Toronto', zone)
  expect(time(' (Eastern Time)')).toMatch(/8:00\sAM \(Eastern Time\)$/)
  expect(time('')).toMatch(/8:00\sAM$/)
})

test('in French a full hour has no minutes, as on the other pages', () => {
  const time = (iso: string) => openingTime('fr', iso, 'America/Toronto', '').replaceAll('\u00a0', ' ')
  expect(time(monday)).toBe('lundi 23 novembre à 8 h')
  expect(time('2026-11-23T13:30:00.000Z')).toBe('lundi 23 novembre à 8 h 30')
  const inFirefox = vi
    .spyOn(Intl.DateTimeFormat.prototype as { format: unknown }, 'format', 'get')
    .mockReturnValue(() => 'lundi 23 novembre à 08 h 00')
  expect(time(monday)).toBe('lundi 23 novembre à 8 h')
  inFirefox.mockRestore()
})

describe.each(['fr', 'en'] as const)('three states have three texts (%s)', (language) => {
  const texts = panelClosedTexts[language]
  const render = (element: React.ReactNode) =>
    renderToStaticMarkup(
      <MemoryRouter>
        <LanguageProvider value={language}>{element}</LanguageProvider>
      </MemoryRouter>,
    )
  const notice = (state: 'open' | 'busy' | 'closed', minutes: number | null = null, Shown = ClosedNotice) => {
    vi.stubGlobal('document', { querySelector: () => null })
    // Outside the hours a technician may be there all the same.
    const nextOpening = state === 'busy' ? null : monday
    const availability = {
      state,
      expected_minutes: minutes,
      next_opening: nextOpening,
      hours: usual,
    } as unknown as ChatAvailability
    const html = render(<Shown session={createVisitorSession()} availability={availability} onLeave={() => undefined} />)
    vi.unstubAllGlobals()
    return html
  }
  const zone = { time_zone: 'America/Toronto', zone_name: '', zone_name_en: '', utc_offset: 0 }
  const usual = { week: everyDay([1, 2, 3, 4, 5], '08:00', '17:00'), ...zone } as unknown as Availability
  const hours = texts.hours.replace('{zone}', '')

  test('outside the hours', () => {
    const html = notice('closed')
    for (const text of [texts.closedTitle, hours]) expect(html).toContain(text)
    const opening = language === 'fr' ? 'Réouverture : lundi 23 novembre à 8 h.' : 'Reopens: Monday, November 23 at 8:00 AM.'
    expect(html.replaceAll(/\s/gu, ' ')).toContain(opening)
    for (const text of [texts.busyTitle, texts.busy, texts.inactive]) expect(html).not.toContain(text)
  })

  test('nobody free within the hours, with the wait where it is known', () => {
    const html = notice('busy', 4)
    for (const text of [texts.busyTitle, texts.busy, hours, texts.wait.replace('{count}', '4')]) expect(html).toContain(text)
    for (const text of [texts.closedTitle, texts.inactive]) expect(html).not.toContain(text)
    expect(notice('busy')).not.toContain(texts.wait.split('{')[0])
  })

  test('a form that was begun before the last technician left has the same text, and the phone number', () => {
    for (const state of ['closed', 'busy'] as const) {
      const html = notice(state, null, ClosedMeanwhile)
      for (const text of [texts[`${state}Title`], hours, 'tel:']) expect(html).toContain(text)
      expect(html.includes(texts.busy)).toBe(state === 'busy')
    }
  })

  test('the service does not answer', () => {
    const html = render(<InactiveHours {...usual} />)
    for (const text of [texts.inactive, hours]) expect(html).toContain(text)
    for (const text of [texts.closedTitle, texts.busyTitle]) expect(html).not.toContain(text)
    const saturday = render(<InactiveHours {...usual} week={everyDay([6], '09:00', '12:00')} />)
    expect(saturday).toContain(describeWeek(everyDay([6], '09:00', '12:00'), language))
  })

  test('somebody is there again', () => {
    const html = notice('open')
    for (const text of [texts.openTitle, texts.start]) expect(html).toContain(text)
    const others = [texts.closedTitle, texts.busyTitle, texts.busy, hours, texts.nextOpening.split('{')[0]]
    for (const text of others) expect(html).not.toContain(text)
  })
})
