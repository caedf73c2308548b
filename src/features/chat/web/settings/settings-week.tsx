import { locales } from '#src/lib/language.ts'
import { FieldError } from '#src/ui/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Table } from '#src/ui/table.tsx'
import { settingsTexts } from '../../supervisor-texts.ts'
import type { DayValues } from './settings-values.ts'

type SettingsWeekProps = {
  week: DayValues[]
  errorOf: (path: string) => string | undefined
  onChange: (week: DayValues[]) => void
}

/** Hours of each day of the week; a day whose box is empty is closed. */
export function SettingsWeek({ week, errorOf, onChange }: SettingsWeekProps) {
  const t = useTexts(settingsTexts)
  const language = useLanguage()
  const name = new Intl.DateTimeFormat(locales[language], { weekday: 'long', timeZone: 'UTC' })
  // The 1st of January 2024 was a Monday.
  const nameOf = (day: number) => name.format(Date.UTC(2024, 0, day))
  const set = (day: number, changes: Partial<DayValues>) =>
    onChange(week.map((one) => (one.day === day ? { ...one, ...changes } : one)))
  // The server names the days it was sent: the closed ones were not.
  const sent = week.filter(({ isOpen }) => isOpen)
  const refusalOf = (row: DayValues) => (row.isOpen ? errorOf(`week.${sent.indexOf(row)}`) : undefined)
  const time = (row: DayValues, field: 'opens' | 'closes') => (
    <div className="grid gap-1">
      <input
        type="time"
        className="input"
        aria-label={t(field === 'opens' ? 'opensOn' : 'closesOn', { day: nameOf(row.day) })}
        aria-invalid={refusalOf(row) ? true : undefined}
        aria-describedby={refusalOf(row) ? `week-${row.day}-error` : undefined}
        value={row[field]}
        onChange={(event) => set(row.day, { [field]: event.target.value })}
      />
      {field === 'closes' && refusalOf(row) && <FieldError id={`week-${row.day}-error`}>{refusalOf(row)}</FieldError>}
    </div>
  )

  return (
    <Table
      caption={t('week')}
      rows={week}
      rowKey={(row) => row.day}
      columns={[
        {
          header: t('day'),
          isRowHeader: true,
          cell: (row) => (
            <label className="flex min-h-6 items-center gap-3">
              <input
                type="checkbox"
                className="size-5 flex-none accent-brand"
                aria-label={t('dayOpen', { day: nameOf(row.day) })}
                checked={row.isOpen}
                onChange={(event) => set(row.day, { isOpen: event.target.checked })}
              />
              <span className="inline-block first-letter:uppercase">{nameOf(row.day)}</span>
              {!row.isOpen && <span className="text-sm font-normal text-ink-2">{t('shut')}</span>}
            </label>
          ),
        },
        { header: t('opens'), cell: (row) => row.isOpen && time(row, 'opens') },
        { header: t('closes'), cell: (row) => row.isOpen && time(row, 'closes') },
      ]}
    />
  )
}
