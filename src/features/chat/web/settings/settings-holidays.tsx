import { Button } from '#src/ui/button.tsx'
import { PlusIcon } from '#src/ui/icons.tsx'
import { FieldError } from '#src/ui/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { Table } from '#src/ui/table.tsx'
import type { ChatSettings } from '../../settings-contract.ts'
import { settingsTexts } from '../../supervisor-texts.ts'

type Holiday = ChatSettings['holidays'][number]
type SettingsHolidaysProps = {
  holidays: Holiday[]
  errorOf: (path: string) => string | undefined
  onChange: (holidays: Holiday[]) => void
}

/** Days on which the counter stays closed, by date. */
export function SettingsHolidays({ holidays, errorOf, onChange }: SettingsHolidaysProps) {
  const t = useTexts(settingsTexts)
  const rows = holidays.map((holiday, index) => ({
    ...holiday,
    index,
    label: holiday.name || t('holidayNumber', { number: index + 1 }),
  }))
  const refusal = errorOf('holidays')
  const set = (index: number, changes: Partial<Holiday>) =>
    onChange(holidays.map((holiday, at) => (at === index ? { ...holiday, ...changes } : holiday)))
  const input = (
    { index, label, ...holiday }: (typeof rows)[number],
    field: keyof Holiday,
    name: 'dateOf' | 'holidayNameOf' | 'holidayNameEnOf',
  ) => (
    <input
      type={field === 'date' ? 'date' : 'text'}
      className="input"
      lang={field === 'name_en' ? 'en-CA' : undefined}
      aria-label={t(name, { name: label })}
      aria-invalid={errorOf(`holidays.${index}.${field}`) ? true : undefined}
      aria-describedby={refusal ? 'holidays-error' : undefined}
      maxLength={100}
      value={holiday[field]}
      onChange={(event) => set(index, { [field]: event.target.value })}
    />
  )

  return (
    <section aria-label={t('holidays')} className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div>
          <h3 className="text-lg font-bold">{t('holidays')}</h3>
          <p className="field-hint">{t('holidaysHint')}</p>
        </div>
        <Button variant="secondary" size="small" onClick={() => onChange([...holidays, { date: '', name: '', name_en: '' }])}>
          <PlusIcon />
          {t('addHoliday')}
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
            { header: t('date'), cell: (row) => input(row, 'date', 'dateOf') },
            { header: t('holidayName'), cell: (row) => input(row, 'name', 'holidayNameOf') },
            { header: t('holidayNameEn'), cell: (row) => input(row, 'name_en', 'holidayNameEnOf') },
          ]}
          actions={{
            header: t('removeHoliday'),
            cell: (row) => (
              <Button
                variant="danger"
                size="small"
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
