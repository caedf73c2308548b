import { Form, Link, useSearchParams, useSubmit } from 'react-router'
import { Button } from '#src/ui/button.tsx'
import { SelectField, TextField } from '#src/ui/field.tsx'
import { SearchIcon } from '#src/ui/icons.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { actionTexts } from '../action-texts.ts'
import { areaTexts, texts } from '../texts.ts'

export const filterNames = ['area', 'action', 'entry', 'who', 'from', 'to'] as const

/** What the journal shows, in the address: it can be kept, sent and gone back to. */
export function JournalFilter() {
  const t = useTexts(texts)
  const a = useTexts(areaTexts)
  const o = useTexts(actionTexts)
  const submit = useSubmit()
  const [query] = useSearchParams()
  const valueOf = (name: string) => query.get(name) ?? ''
  const entry = valueOf('entry')
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
      <SelectField label={t('area')} name="area" defaultValue={valueOf('area')}>
        <option value="">{t('anyArea')}</option>
        {keysOf(areaTexts.fr).map((area) => (
          <option key={area} value={area}>
            {a(area)}
          </option>
        ))}
      </SelectField>
      <SelectField label={t('action')} name="action" defaultValue={valueOf('action')}>
        <option value="">{t('anyAction')}</option>
        {keysOf(actionTexts.fr).map((action) => (
          <option key={action} value={action}>
            {o(action)}
          </option>
        ))}
      </SelectField>
      <TextField label={t('who')} type="search" name="who" defaultValue={valueOf('who')} maxLength={200} />
      <TextField label={t('from')} type="date" name="from" defaultValue={valueOf('from')} />
      <TextField label={t('to')} type="date" name="to" defaultValue={valueOf('to')} />
      <SelectField label={t('sort')} name="sort" defaultValue={valueOf('sort').replace(/^-at$/, '')}>
        <option value="">{t('sortNewest')}</option>
        <option value="at">{t('sortOldest')}</option>
      </SelectField>
      <div className="col-span-full flex flex-wrap items-center gap-4 md:col-span-1">
        {entry && <input type="hidden" name="entry" value={entry} />}
        <Button type="submit" variant="secondary">
          <SearchIcon />
          {t('filter')}
        </Button>
        {filterNames.some((name) => valueOf(name)) && (
          <Link to="/admin/journal" className="font-bold text-brand underline underline-offset-2">
            {t('clear')}
          </Link>
        )}
      </div>
    </Form>
  )
}

function keysOf<K extends string>(record: Record<K, unknown>) {
  return Object.keys(record) as K[]
}
