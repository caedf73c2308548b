import { Form, Link, useSearchParams, useSubmit } from 'react-router'
import { Button } from '#src/ui/button.tsx'
import { Field, SelectField } from '#src/ui/field.tsx'
import { SearchIcon } from '#src/ui/icons.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { adminRequestTexts } from '../admin-texts.ts'
import { requestKinds, requestStatuses } from '../values.ts'

/** What the list shows, in the address: it can be kept, sent and gone back to. */
export function RequestFilter() {
  const t = useTexts(adminRequestTexts)
  const submit = useSubmit()
  const [query] = useSearchParams()
  const valueOf = (name: string) => query.get(name) ?? ''
  const isFiltered = ['search', 'status', 'kind'].some((name) => valueOf(name) !== '')
  return (
    <Form
      // Going back changes the address, and with it what the fields hold.
      key={query.toString()}
      role="search"
      className="mb-6 grid items-end gap-4 sm:grid-cols-2 xl:grid-cols-[2fr_1fr_1fr_1fr_auto]"
      onChange={(event) => {
        if (event.target instanceof HTMLSelectElement) void submit(event.currentTarget)
      }}
    >
      <Field label={t('search')}>
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
      <SelectField label={t('sort')} name="sort" defaultValue={valueOf('sort')}>
        <option value="">{t('sortNewest')}</option>
        <option value="created_at">{t('sortOldest')}</option>
        <option value="name">{t('sortName')}</option>
        <option value="status">{t('sortStatus')}</option>
      </SelectField>
      <div className="flex flex-wrap items-center gap-4">
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
    </Form>
  )
}
