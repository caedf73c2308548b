import { Form, Link, useSearchParams } from 'react-router'
import { company } from '#company/company.ts'
import { Button } from '#src/ui/button.tsx'
import { Field, TextField } from '#src/ui/field.tsx'
import { SearchIcon } from '#src/ui/icons.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { recordingTexts } from '../texts.ts'
import { listQuery } from './list-address.ts'
import { periodDays, periodNames } from './periods.ts'

/** From, To and Search (spec.md 2.2), in the address: it can be kept, sent and gone back to. */
export function RecordingFilter({ isWrong }: { isWrong: boolean }) {
  const t = useTexts(recordingTexts)
  const [query] = useSearchParams()
  const valueOf = (name: string) => query.get(name) ?? ''
  const isFiltered = ['from', 'to', 'search'].some((name) => valueOf(name) !== '')
  return (
    <Form
      // Going back changes the address, and with it what the fields hold.
      key={query.toString()}
      role="search"
      className="mb-6 grid gap-4"
    >
      <div className="grid items-start gap-4 sm:grid-cols-2 xl:grid-cols-[1fr_1fr_2fr_auto]">
        <TextField label={t('from')} type="date" name="from" defaultValue={valueOf('from')} />
        <TextField label={t('to')} type="date" name="to" defaultValue={valueOf('to')} error={isWrong ? t('periodWrong') : null} />
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
        <div className="flex flex-wrap items-center gap-4 self-end">
          <Button type="submit" variant="secondary">
            <SearchIcon />
            {t('filter')}
          </Button>
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
        {isFiltered && (
          <Link to="/admin/recordings" className="py-0.5 font-bold text-brand underline underline-offset-2">
            {t('clear')}
          </Link>
        )}
      </nav>
    </Form>
  )
}
