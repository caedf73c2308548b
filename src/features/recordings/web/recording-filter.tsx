import { company } from '#company/company.ts'
import { ClearFilter, FilterButton, FilterForm, SearchField, useFilter } from '#src/features/content/web/filter-form.tsx'
import { TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { recordingTexts } from '../texts.ts'
import { listQuery } from './list-address.ts'
import { periodDays, periodNames } from './periods.ts'

/** From, To and Search. */
export function RecordingFilter({ isWrong }: { isWrong: boolean }) {
  const t = useTexts(recordingTexts)
  const { query, valueOf, isFiltered } = useFilter(['from', 'to', 'search'])
  return (
    <FilterForm className="grid gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-2 xl:grid-cols-[1fr_1fr_2fr_auto]">
        <TextField label={t('from')} type="date" name="from" defaultValue={valueOf('from')} />
        <TextField label={t('to')} type="date" name="to" defaultValue={valueOf('to')} error={isWrong ? t('periodWrong') : null} />
        <SearchField label={t('search')} placeholder={t('searchHint')} value={valueOf('search')} />
        <div className="flex flex-wrap items-center gap-4 self-end">
          <FilterButton>{t('filter')}</FilterButton>
        </div>
      </div>
      <nav aria-label={t('periods')} className="flex flex-wrap items-center gap-x-5 gap-y-2">
        {periodNames.map((name) => {
          const days = periodDays(name, company.hours.timeZone, new Date())
          const isShown = valueOf('from') === days.from && valueOf('to') === days.to
          return (
            <Link
              key={name}
              to={listQuery(query, { ...days, page: '' })}
              aria-current={isShown ? 'true' : undefined}
              className={`py-0.5 text-brand underline underline-offset-2 ${isShown ? 'font-bold' : ''}`}
            >
              {t(name)}
            </Link>
          )
        })}
        {isFiltered && <ClearFilter to="/admin/recordings">{t('clear')}</ClearFilter>}
      </nav>
    </FilterForm>
  )
}
