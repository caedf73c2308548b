import { Form, Link, useSearchParams, useSubmit } from 'react-router'
import { useProfile } from '#src/features/site/web/admin-layout.tsx'
import { Button } from '#src/ui/button.tsx'
import { Field, SelectField } from '#src/ui/field.tsx'
import { SearchIcon } from '#src/ui/icons.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { adminRequestTexts } from '../admin-texts.ts'
import type { Assignee } from '../contract.ts'
import { requestKinds, requestStatuses } from '../values.ts'

/** What the list shows, in the address: it can be kept, sent and gone back to. */
export function RequestFilter({ assignees }: { assignees: Assignee[] }) {
  const t = useTexts(adminRequestTexts)
  const { id_user: me } = useProfile()
  const submit = useSubmit()
  const [query] = useSearchParams()
  const valueOf = (name: string) => query.get(name) ?? ''
  const isFiltered = ['search', 'status', 'kind', 'assigned_to'].some((name) => valueOf(name) !== '')
  return (
    <Form
      // Going back changes the address, and with it what the fields hold.
      key={query.toString()}
      role="search"
      className="filter mb-6"
      onChange={(event) => {
        if (event.target instanceof HTMLSelectElement) void submit(event.currentTarget)
      }}
    >
      <Field label={t('search')} className="col-span-full md:col-span-3">
        {(attributes) => (
          <input
            type="search"
            name="search"
            className="input"
            placeholder={t('searchHint')}
            maxLength={200}
            defaultValue={valueOf('search')}
            {...attributes}
          />
        )}
      </Field>
      <div className="col-span-full flex flex-wrap items-center gap-4 md:col-span-1">
        <Button type="submit" variant="secondary">
          <SearchIcon />
          {t('filter')}
        </Button>
        {isFiltered && (
          <Link to="/admin/demandes" className="font-bold text-brand underline underline-offset-2">
            {t('clear')}
          </Link>
        )}
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
    </Form>
  )
}
