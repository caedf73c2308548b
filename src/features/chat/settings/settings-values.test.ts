import { expect, test } from 'vitest'
import type { ChatSettings } from '../contract.ts'
import { settingsOf, valuesOf } from './settings-values.ts'

const settings: ChatSettings = {
  version: 3,
  week: [
    {
      day: 2,
      spans: [
        { opens: '09:00', closes: '12:30' },
        { opens: '13:00', closes: '24:00' },
      ],
    },
    { day: 3, spans: [{ opens: '00:00', closes: '24:00' }] },
    { day: 4, spans: [{ opens: '22:00', closes: '06:00' }] },
  ],
  holidays: [
    { date: '2026-12-25', name: 'Noël', name_en: 'Christmas', spans: [] },
    { date: '2026-12-24', name: 'Veille', name_en: '', spans: [{ opens: '08:00', closes: '12:00' }] },
  ],
  auto_reply: true,
  auto_reply_message: 'On arrive.',
  auto_reply_message_en: '',
  expected_wait: '',
  expected_wait_en: '',
  no_answer_minutes: 3,
  release_minutes: 3,
  silence_seconds: 30,
  escalation_notification_minutes: 1,
  escalation_mail_minutes: 5,
  attachments_enabled: false,
  embed_origins: ['https://www.example.com', 'https://client.example.com'],
}

test('settings come out of their form as they went in', () => {
  expect(settingsOf(valuesOf(settings))).toEqual(settings)
})

test('a day or a holiday that is not open has no hours, whatever stands in its fields', () => {
  const values = valuesOf(settings)
  const [eve] = values.holidays.slice(1)
  const shut = {
    ...values,
    week: values.week.map((day) => ({ ...day, isOpen: day.day === 3 })),
    holidays: eve ? [{ ...eve, isOpen: false }] : [],
  }
  expect(settingsOf(shut)).toMatchObject({ week: [{ day: 3 }], holidays: [{ date: '2026-12-24', spans: [] }] })
})

test('the address of a page becomes that of its site, and what is no address is left to be refused', () => {
  const typed = { ...valuesOf(settings), embed_origins: ' https://www.example.com/fr/contact?x=1 \n\n javascript:alert(1)' }
  expect(settingsOf(typed).embed_origins).toEqual(['https://www.example.com', 'javascript:alert(1)'])
})

test('a number that is none is left to be refused', () => {
  expect(settingsOf({ ...valuesOf(settings), silence_seconds: '' }).silence_seconds).toBe('')
  expect(settingsOf({ ...valuesOf(settings), silence_seconds: '1e3' }).silence_seconds).toBe('1e3')
})
