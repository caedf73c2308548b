import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { Language } from '#src/lib/language/language.ts'
import { locales } from '#src/lib/language/language.ts'
import { Button } from '#src/ui/components/button.tsx'
import { CloseIcon, PlusIcon } from '#src/ui/components/icons.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { FieldError, SelectField } from '#src/ui/forms/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { settingsTexts } from './settings-texts.ts'
import type { DayValues, HolidayValues, SpanValues } from './settings-values.ts'
import { allDay, isAllDay, usualSpan } from './settings-values.ts'

type ErrorOf = (path: string) => string | undefined

type WeekEditorProps = { week: DayValues[]; errorOf: ErrorOf; onChange: (week: DayValues[]) => void }

/** Hours of each day of the week; a day whose box is empty is closed. */
export function WeekEditor({ week, errorOf, onChange }: WeekEditorProps) {
  const t = useTexts(settingsTexts)
  const language = useLanguage()
  const set = (day: number, changes: Partial<DayValues>) =>
    onChange(week.map((one) => (one.day === day ? { ...one, ...changes } : one)))
  // The server's errors index the days that were sent; closed days were not.
  const sent = week.filter(({ isOpen }) => isOpen)

  return (
    <div className="grid gap-4">
      <Table
        caption={t('week')}
        rows={week}
        rowKey={(row) => row.day}
        columns={[
          {
            header: t('day'),
            isRowHeader: true,
            className: 'text-start align-top',
            cell: (row) => (
              <OpenBox
                label={t('dayOpen', { day: nameOfDay(row.day, language) })}
                isOpen={row.isOpen}
                onChange={(isOpen) => set(row.day, { isOpen })}
              >
                <span className="inline-block first-letter:uppercase">{nameOfDay(row.day, language)}</span>
              </OpenBox>
            ),
          },
          {
            header: t('openHours'),
            className: 'w-full text-start align-top',
            cell: (row) =>
              row.isOpen ? (
                <SpansEditor
                  id={`day-${row.day}`}
                  name={nameOfDay(row.day, language)}
                  spans={row.spans}
                  errorOf={(path) => errorOf(`week.${sent.indexOf(row)}${path}`)}
                  onChange={(spans) => set(row.day, { spans })}
                />
              ) : (
                <Closed />
              ),
          },
        ]}
      />
      <CopyHours week={week} onChange={onChange} />
    </div>
  )
}

// 1 January 2024 was a Monday.
export const nameOfDay = (day: number, language: Language) =>
  new Intl.DateTimeFormat(locales[language], { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, day))

const targets = { weekdays: [1, 2, 3, 4, 5], allDays: [1, 2, 3, 4, 5, 6, 7] } as const

/** Gives several days the hours of one. */
function CopyHours({ week, onChange }: Pick<WeekEditorProps, 'week' | 'onChange'>) {
  const t = useTexts(settingsTexts)
  const language = useLanguage()
  const [from, setFrom] = useState(1)
  const [to, setTo] = useState('weekdays')
  const [isCopied, setIsCopied] = useState(false)
  const days: readonly number[] = to === 'weekdays' || to === 'allDays' ? targets[to] : [Number(to)]
  const copy = () => {
    const source = week.find(({ day }) => day === from)
    if (!source) return
    onChange(week.map((one) => (days.includes(one.day) ? { ...source, day: one.day } : one)))
    setIsCopied(true)
  }
  const choose = (change: () => void) => {
    change()
    setIsCopied(false)
  }
  const options = week.map(({ day }) => (
    <option key={day} value={day}>
      {nameOfDay(day, language)}
    </option>
  ))
  return (
    <div className="flex flex-wrap items-end gap-4">
      <SelectField label={t('copyFrom')} value={from} onChange={(event) => choose(() => setFrom(Number(event.target.value)))}>
        {options}
      </SelectField>
      <SelectField label={t('copyTo')} value={to} onChange={(event) => choose(() => setTo(event.target.value))}>
        <option value="weekdays">{t('weekdays')}</option>
        <option value="allDays">{t('allDays')}</option>
        {options}
      </SelectField>
      <Button variant="secondary" onClick={copy}>
        {t('copyHours')}
      </Button>
      <p role="status" className="min-h-6 self-center">
        {isCopied && <span>{t('hoursCopied')}</span>}
      </p>
    </div>
  )
}

type OpenBoxProps = { label: string; isOpen: boolean; onChange: (isOpen: boolean) => void; children: ReactNode }

function OpenBox({ label, isOpen, onChange, children }: OpenBoxProps) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input
        type="checkbox"
        className="size-5 flex-none accent-brand"
        aria-label={label}
        checked={isOpen}
        onChange={(event) => onChange(event.target.checked)}
      />
      {/* oxlint-disable-next-line guichet/own-element -- an element, never a bare text */}
      {children}
    </label>
  )
}

function Closed() {
  const t = useTexts(settingsTexts)
  return <p className="flex min-h-11 items-center text-ink-2">{t('shut')}</p>
}

type SpansEditorProps = {
  id: string
  /** The day or holiday, for the labels. */
  name: string
  spans: SpanValues[]
  /** The error at a path below this day. */
  errorOf: ErrorOf
  onChange: (spans: SpanValues[]) => void
}

/** Hours of one day, in one or several spans; the browser's own time field writes the midnight after the day as 00:00. */
function SpansEditor({ id, name, spans, errorOf, onChange }: SpansEditorProps) {
  const t = useTexts(settingsTexts)
  const isWhole = isAllDay(spans)
  const set = (index: number, changes: Partial<SpanValues>) =>
    onChange(spans.map((span, at) => (at === index ? { ...span, ...changes } : span)))
  const labelOf = (index: number) => (spans.length > 1 ? t('spanOf', { name, number: index + 1 }) : name)
  const refusalOf = (index: number) => errorOf(`.spans.${index}`)
  const timeField = (index: number, field: keyof SpanValues, value: string) => (
    <input
      type="time"
      className="input w-auto px-2.5"
      aria-label={t(field === 'opens' ? 'opensOn' : 'closesOn', { day: labelOf(index) })}
      aria-invalid={refusalOf(index) ? true : undefined}
      aria-describedby={refusalOf(index) ? `${id}-${index}-error` : undefined}
      value={value}
      onChange={(event) => set(index, { [field]: event.target.value })}
    />
  )
  return (
    <div className="grid justify-items-start gap-2">
      {!isWhole &&
        spans.map(({ opens, closes }, index) => (
          <div key={index} className="grid gap-1">
            <div className="flex flex-wrap items-center gap-2 sm:whitespace-nowrap">
              {timeField(index, 'opens', opens)}
              <span aria-hidden="true">{t('to')}</span>
              {timeField(index, 'closes', closes)}
              {spans.length > 1 && (
                <Button
                  variant="quiet"
                  size="small"
                  className="px-0"
                  aria-label={t('removeSpan', { name: labelOf(index) })}
                  onClick={() => onChange(spans.filter((_, at) => at !== index))}
                >
                  <CloseIcon />
                </Button>
              )}
              {closes !== '' && closes <= opens && (
                <span className="text-sm text-ink-2">{closes === '00:00' ? t('midnight') : t('nextDay')}</span>
              )}
            </div>
            {refusalOf(index) && <FieldError id={`${id}-${index}-error`}>{refusalOf(index)}</FieldError>}
          </div>
        ))}
      {isWhole && refusalOf(0) && <FieldError id={`${id}-0-error`}>{refusalOf(0)}</FieldError>}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1">
        <label className={`flex items-center gap-2 ${isWhole ? 'min-h-11' : 'min-h-8'}`}>
          <input
            type="checkbox"
            className="size-5 flex-none accent-brand"
            aria-label={t('allDayOn', { name })}
            aria-invalid={isWhole && refusalOf(0) ? true : undefined}
            aria-describedby={isWhole && refusalOf(0) ? `${id}-0-error` : undefined}
            checked={isWhole}
            onChange={(event) => onChange(event.target.checked ? [allDay] : [usualSpan])}
          />
          <span>{t('allDay')}</span>
        </label>
        {!isWhole && spans.length < mostSpans && (
          <Button
            variant="link"
            aria-label={t('addSpanOn', { name })}
            onClick={() => onChange([...spans, { opens: spans.at(-1)?.closes ?? '', closes: '' }])}
          >
            <PlusIcon size={18} />
            <span>{t('addSpan')}</span>
          </Button>
        )}
      </div>
    </div>
  )
}

const mostSpans = 6

type HolidaysEditorProps = { holidays: HolidayValues[]; errorOf: ErrorOf; onChange: (holidays: HolidayValues[]) => void }

/** Dates with hours of their own; most are closed. */
export function HolidaysEditor({ holidays, errorOf, onChange }: HolidaysEditorProps) {
  const t = useTexts(settingsTexts)
  const rows = holidays.map((holiday, index) => ({
    ...holiday,
    index,
    label: holiday.name || t('holidayNumber', { number: index + 1 }),
  }))
  const own = (row: (typeof rows)[number], field: string) => errorOf(`holidays.${row.index}.${field}`)
  // An error of the list itself, such as a date that is there twice.
  const refusal = rows.some((row) => own(row, 'spans')) ? undefined : errorOf('holidays')
  const set = (index: number, changes: Partial<HolidayValues>) =>
    onChange(holidays.map((holiday, at) => (at === index ? { ...holiday, ...changes } : holiday)))
  const section = useRef<HTMLElement>(null)
  const [additions, setAdditions] = useState(0)
  useEffect(() => {
    if (additions === 0) return
    const date = [...(section.current?.querySelectorAll<HTMLInputElement>('input[type=date]') ?? [])].find(({ value }) => !value)
    date?.focus({ preventScroll: true })
    date?.scrollIntoView({ block: 'center' })
  }, [additions])
  const add = () => {
    // A row that is still without its date is shown instead of another one.
    if (holidays.every(({ date }) => date)) {
      onChange([...holidays, { date: '', name: '', name_en: '', isOpen: false, spans: [usualSpan] }])
    }
    setAdditions(additions + 1)
  }
  const input = (
    row: (typeof rows)[number],
    field: 'date' | 'name' | 'name_en',
    name: 'dateOf' | 'holidayNameOf' | 'holidayNameEnOf',
  ) => (
    <input
      type={field === 'date' ? 'date' : 'text'}
      className="input"
      lang={field === 'name_en' ? locales.en : undefined}
      aria-label={t(name, { name: row.label })}
      aria-invalid={own(row, field) ? true : undefined}
      aria-describedby={refusal ? 'holidays-error' : undefined}
      maxLength={field === 'date' ? undefined : 100}
      value={row[field]}
      onChange={(event) => set(row.index, { [field]: event.target.value })}
    />
  )

  return (
    <section ref={section} aria-label={t('holidays')} className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div>
          <h3 className="text-lg font-bold">{t('holidays')}</h3>
          <p className="field-hint">{t('holidaysHint')}</p>
        </div>
        <Button variant="secondary" size="small" onClick={add}>
          <PlusIcon />
          <span>{t('addHoliday')}</span>
        </Button>
      </div>
      {refusal && <FieldError id="holidays-error">{refusal}</FieldError>}
      {rows.length === 0 ? (
        <p className="text-ink-2">{t('noHolidays')}</p>
      ) : (
        <Table
          caption={t('holidays')}
          rows={rows}
          rowKey={(row) => row.index}
          columns={[
            {
              header: t('date'),
              isRowHeader: true,
              className: 'text-start align-top',
              cell: (row) => input(row, 'date', 'dateOf'),
            },
            { header: t('holidayName'), className: 'text-start align-top', cell: (row) => input(row, 'name', 'holidayNameOf') },
            {
              header: t('holidayNameEn'),
              className: 'text-start align-top',
              cell: (row) => input(row, 'name_en', 'holidayNameEnOf'),
            },
            {
              header: t('openHours'),
              className: 'text-start align-top',
              cell: (row) => (
                <div className={`grid gap-1 ${row.isOpen ? 'sm:min-w-76' : ''}`}>
                  <OpenBox
                    label={t('holidayOpen', { name: row.label })}
                    isOpen={row.isOpen}
                    onChange={(isOpen) => set(row.index, { isOpen })}
                  >
                    <span>{t(row.isOpen ? 'open' : 'shut')}</span>
                  </OpenBox>
                  {row.isOpen && (
                    <SpansEditor
                      id={`holiday-${row.index}`}
                      name={row.label}
                      spans={row.spans}
                      errorOf={(path) => errorOf(`holidays.${row.index}${path}`)}
                      onChange={(spans) => set(row.index, { spans })}
                    />
                  )}
                </div>
              ),
            },
          ]}
          actions={{
            header: t('removeHoliday'),
            cell: (row) => (
              <Button
                variant="danger"
                size="small"
                className="whitespace-nowrap"
                aria-label={t('removeHolidayOf', { name: row.label })}
                onClick={() => onChange(holidays.filter((_, at) => at !== row.index))}
              >
                {t('removeHoliday')}
              </Button>
            ),
          }}
        />
      )}
    </section>
  )
}
