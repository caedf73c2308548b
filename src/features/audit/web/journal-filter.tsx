import { ClearFilter, FilterButton, FilterForm, useFilter } from '#src/features/content/web/filter-form.tsx'
import { SelectField, TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { texts } from '../texts.ts'
import { useNames } from './use-names.ts'

export const filterNames = ['area', 'action', 'entry', 'who', 'from', 'to'] as const

/** What the journal shows. */
export function JournalFilter() {
  const t = useTexts(texts)
  const { areas, actions, areaName, actionName } = useNames()
  const { valueOf, isFiltered } = useFilter(filterNames)
  const entry = valueOf('entry')
  return (
    <FilterForm>
      <SelectField label={t('area')} name="area" defaultValue={valueOf('area')}>
        <option value="">{t('anyArea')}</option>
        {areas.map((area) => (
          <option key={area} value={area}>
            {areaName(area)}
          </option>
        ))}
      </SelectField>
      <SelectField label={t('action')} name="action" defaultValue={valueOf('action')}>
        <option value="">{t('anyAction')}</option>
        {actions.map((action) => (
          <option key={action} value={action}>
            {actionName(action)}
          </option>
        ))}
      </SelectField>
      <TextField label={t('who')} type="search" name="who" defaultValue={valueOf('who')} maxLength={200} />
      <SelectField label={t('sort')} name="sort" defaultValue={valueOf('sort').replace(/^-at$/, '')}>
        <option value="">{t('sortNewest')}</option>
        <option value="at">{t('sortOldest')}</option>
      </SelectField>
      <TextField label={t('from')} type="date" name="from" defaultValue={valueOf('from')} />
      <TextField label={t('to')} type="date" name="to" defaultValue={valueOf('to')} />
      <div className="col-span-full flex flex-wrap items-center gap-4 md:col-span-1">
        {entry && <input type="hidden" name="entry" value={entry} />}
        <FilterButton>{t('filter')}</FilterButton>
        {isFiltered && <ClearFilter to="/admin/journal">{t('clear')}</ClearFilter>}
      </div>
    </FilterForm>
  )
}
