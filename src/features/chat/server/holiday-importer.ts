import { readFile, stat } from 'node:fs/promises'
import { company } from '#company/company.ts'
import type { Importer, ImportSource, LeftOut, SourceEntry } from '#src/features/content/server/importing.ts'
import { checkBy, cut, Refused, UnusableSource } from '#src/features/content/server/importing.ts'
import type { Label } from '#src/lib/feature.ts'
import { addDays, dayIn } from '#src/lib/time/dates.ts'
import { runInWorker, WorkerLimit } from '#src/server/background/limited-worker.ts'
import type { Database } from '#src/server/database/database.ts'
import type { ChatSettings } from '../contract.ts'
import { holiday, holidaysMax } from '../contract.ts'
import type { CalendarDay, CalendarPart, CalendarTask } from './read-calendar.ts'
import { changeHolidays, chatSettingsName, readSettings } from './settings.ts'

type Holiday = ChatSettings['holidays'][number]

const fileMaxBytes = 5_000_000
const comingDays = 3 * 366

const notCalendar = {
  fr: 'Ce fichier n’est pas un calendrier iCalendar (.ics).',
  en: 'This file is not an iCalendar calendar (.ics).',
}
const tooLarge = {
  fr: 'Ce calendrier est trop volumineux ou trop complexe. Exportez les jours fériés seulement.',
  en: 'This calendar is too large or too complex. Export the holidays only.',
}
const reasons: Record<NonNullable<CalendarDay['refused']>, Label> = {
  timed: {
    fr: 'Ce n’est pas une journée entière. Entrez ses heures dans les réglages du clavardage.',
    en: 'It is not a whole day. Enter its hours in the chat settings.',
  },
  long: { fr: 'L’événement dure plus de 31 jours.', en: 'The event is longer than 31 days.' },
  nameless: { fr: 'L’événement n’a pas de nom.', en: 'The event has no name.' },
  broken: { fr: 'Sa date ou sa répétition n’existe pas.', en: 'Its date or its repetition does not exist.' },
}
const taken = { fr: 'Cette date est déjà un jour férié ici.', en: 'This date is already a holiday here.' }
const full = {
  fr: `Il y a déjà ${holidaysMax} jours fériés. Retirez ceux qui sont passés.`,
  en: `There are ${holidaysMax} holidays already. Remove those that are over.`,
}

/** A date as the number of the entry: `20261225`. */
const idOf = (date: string) => Number(date.replaceAll('-', ''))
const byId = async (db: Database) => new Map((await readSettings(db)).holidays.map((one) => [idOf(one.date), one]))

async function* readHolidays({ path, charset }: ImportSource): AsyncGenerator<SourceEntry | LeftOut> {
  if ((await stat(path)).size > fileMaxBytes) throw new UnusableSource(tooLarge)
  const text = new TextDecoder(charset).decode(await readFile(path))
  const from = dayIn(company.hours.timeZone, new Date())
  const parts = await readApart({ text, from, until: addDays(from, comingDays) })
  if (parts === null) throw new UnusableSource(notCalendar)
  for (const part of parts) yield 'leftOut' in part ? part : toEntry(part)
}

/** Repetitions of a hostile calendar must not block the process. */
async function readApart(task: CalendarTask) {
  const file = import.meta.url.endsWith('.ts') ? './calendar-worker.ts' : './calendar-worker.js'
  try {
    return await runInWorker<CalendarPart[] | null>(new URL(file, import.meta.url), task, { timeMs: 10_000, memoryMb: 200 })
  } catch (error) {
    throw error instanceof WorkerLimit ? new UnusableSource(tooLarge) : error
  }
}

function toEntry({ at, id, name, isEnglish, date, refused }: CalendarDay): SourceEntry {
  const title = cut(name.replaceAll(/\s+/g, ' '), 100)
  const values: Holiday = { date, name: title, name_en: isEnglish ? title : '', spans: [] }
  const shown = [
    { label: 'SUMMARY', text: name },
    { label: 'DTSTART', text: date },
  ]
  return { at: String(at), id, name: title, values, shown, ...(refused && { refused: reasons[refused] }) }
}

/** Holidays of a calendar: the chat and the goals of requests are closed on these days, until somebody enters hours. */
export const holidayImporter: Importer = {
  kind: 'holidays',
  label: { fr: 'Jours fériés', en: 'Holidays' },
  hint: {
    fr: 'Calendrier iCalendar (.ics). Ses journées entières des trois prochaines années deviennent des jours fermés.',
    en: 'iCalendar file (.ics). Its whole days of the next three years become closed days.',
  },
  accept: '.ics,.ical,text/calendar',
  areas: ['chat'],
  read: readHolidays,
  writers: {
    holidays: {
      area: 'chat',
      label: { fr: 'jours fériés', en: 'holidays' },
      path: '/admin/chat/settings',
      outdates: chatSettingsName,
      check: async (values) => checkBy(holiday, values),
      async findTaken(db, values) {
        const dates = new Set((await byId(db)).keys())
        return (values as Holiday[]).map(({ date }) => {
          if (dates.has(idOf(date))) return taken
          dates.add(idOf(date))
          return null
        })
      },
      async create(tx, values) {
        const added = values as Holiday[]
        await changeHolidays(tx, (stored) => {
          const dates = new Set(stored.map(({ date }) => date))
          if (added.some(({ date }) => dates.has(date))) throw new Refused(taken)
          if (stored.length + added.length > holidaysMax) throw new Refused(full)
          return [...stored, ...added]
        })
        return added.map(({ date }) => idOf(date))
      },
      async update(tx, id, values) {
        const { name, name_en } = values as Holiday
        await changeHolidays(tx, (stored) => stored.map((one) => (idOf(one.date) === id ? { ...one, name, name_en } : one)))
      },
      async remove(tx, ids) {
        await changeHolidays(tx, (stored) => stored.filter(({ date }) => !ids.includes(idOf(date))))
      },
      async findMarks(tx, ids) {
        const stored = await byId(tx)
        return new Map(ids.flatMap((id) => (stored.has(id) ? [[id, JSON.stringify(stored.get(id))] as const] : [])))
      },
      async findNames(db, ids) {
        const stored = await byId(db)
        return new Map(ids.map((id) => [id, [stored.get(id)?.name, stored.get(id)?.date].filter(Boolean).join(', ')]))
      },
    },
  },
}
