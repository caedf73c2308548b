import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { ClearFilter, FilterButton, FilterForm, SearchField, useFilter } from '#src/features/content/web/filter-form.tsx'
import { SelectField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { adminRequestTexts } from '../admin-texts.ts'
import type { Assignee } from '../contract.ts'
import { requestKinds, requestStatuses } from '../values.ts'

/** What the list of requests shows. */
export function RequestFilter({ assignees }: { assignees: Assignee[] }) {
  const t = useTexts(adminRequestTexts)
  const { id_user: me } = useProfile()
  const { valueOf, isFiltered } = useFilter(['search', 'status', 'kind', 'assigned_to'])
  return (
    <FilterForm>
      <SearchField
        label={t('search')}
        placeholder={t('searchHint')}
        value={valueOf('search')}
        className="col-span-full md:col-span-3"
      />
      <div className="col-span-full flex flex-wrap items-center gap-4 md:col-span-1">
        <FilterButton>{t('filter')}</FilterButton>
        {isFiltered && <ClearFilter to="/admin/demandes">{t('clear')}</ClearFilter>}
      </div>
      <SelectField label={t('status')} name="status" defaultValue={valueOf('status')}>
        <option value="">{t('anyStatus')}</option>
        {requestStatuses.map((status) => (
          <option key={status} value={status}>
            {t(status)}
          </option>
        ))}
      </SelectField>
      <SelectField label={t('kind')} name="kind" defaultValue={valueOf('kind')}>
        <option value="">{t('anyKind')}</option>
        {requestKinds.map((kind) => (
          <option key={kind} value={kind}>
            {t(kind)}
          </option>
        ))}
      </SelectField>
      <SelectField label={t('assignee')} name="assigned_to" defaultValue={valueOf('assigned_to')}>
        <option value="">{t('anyAssignee')}</option>
        <option value="none">{t('nobody')}</option>
        {assignees.map(({ id_user, display_name }) => (
          <option key={id_user} value={id_user}>
            {id_user === me ? t('me', { name: display_name }) : display_name}
          </option>
        ))}
      </SelectField>
      <SelectField label={t('sort')} name="sort" defaultValue={valueOf('sort').replace(/^-created_at$/, '')}>
        <option value="">{t('sortNewest')}</option>
        <option value="created_at">{t('sortOldest')}</option>
        <option value="name">{t('sortName')}</option>
        <option value="-name">{t('sortNameBack')}</option>
        <option value="status">{t('sortStatus')}</option>
        <option value="-status">{t('sortStatusBack')}</option>
      </SelectField>
    </FilterForm>
  )
}
