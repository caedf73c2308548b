import { useState } from 'react'
import type { FormEvent } from 'react'
import { useRights } from '#src/features/content/web/admin-context.ts'
import { hasRight } from '#src/lib/rights.ts'
import { ApiError, callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { StatusCard } from '#src/ui/components/status-card.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { SelectField, TextField } from '#src/ui/forms/field.tsx'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { useTexts } from '#src/ui/language.tsx'
import type { RetentionPeriod } from '../contract.ts'
import { kindName, periodTexts } from '../period-texts.ts'
import { privacyTexts } from '../texts.ts'

/** The one table of periods; administrators change it. */
export function PeriodsSection({ periods: loaded }: { periods: RetentionPeriod[] }) {
  const t = useTexts(privacyTexts)
  const p = useTexts(periodTexts)
  const [periods, setPeriods] = useState(loaded)
  const [isEditing, setEditing] = useState(false)
  const canChange = hasRight(useRights(), 'privacy', 'administrator')
  return (
    <section id="periods" className="grid gap-4">
      <h2 className="text-xl">{p('title')}</h2>
      <p className="text-ink-2">{p('intro')}</p>
      {isEditing ? (
        <PeriodsForm
          periods={periods}
          onSaved={(saved) => {
            setPeriods(saved)
            setEditing(false)
          }}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <>
          <Table
            caption={p('title')}
            rows={periods}
            rowKey={(period) => period.kind}
            columns={[
              { header: t('kind'), cell: (period) => kindName(t, period.kind), isRowHeader: true },
              { header: t('period'), cell: (period) => t(period.unit, { count: period.count }) },
            ]}
          />
          {canChange && (
            <div>
              <Button variant="secondary" onClick={() => setEditing(true)}>
                {p('change')}
              </Button>
            </div>
          )}
        </>
      )}
    </section>
  )
}

type Typed = { kind: string; count: string; unit: RetentionPeriod['unit'] }
type FormProps = { periods: RetentionPeriod[]; onSaved: (periods: RetentionPeriod[]) => void; onCancel: () => void }

function PeriodsForm({ periods, onSaved, onCancel }: FormProps) {
  const t = useTexts(privacyTexts)
  const p = useTexts(periodTexts)
  const f = useTexts(failureTexts)
  const [rows, setRows] = useState<Typed[]>(periods.map((one) => ({ ...one, count: String(one.count) })))
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const change = (kind: string, part: Partial<Typed>) => {
    setRows(rows.map((row) => (row.kind === kind ? { ...row, ...part } : row)))
    setErrors({ ...errors, [kind]: '' })
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFailure(null)
    try {
      // Only what was changed: a colleague's change of another period stays.
      const changed = rows.filter(({ kind, count, unit }) => {
        const before = periods.find((one) => one.kind === kind)
        return String(before?.count) !== count.trim() || before?.unit !== unit
      })
      if (changed.length === 0) return onCancel()
      const body = changed.map(({ kind, count, unit }) => ({
        kind,
        count: /^\d{1,5}$/.test(count.trim()) ? Number(count) : 0,
        unit,
      }))
      const refused = body.filter(({ count, unit }) => count < 1 || count > (unit === 'months' ? 120 : 3650))
      setErrors(Object.fromEntries(refused.map(({ kind }) => [kind, p('range')])))
      if (refused.length === 0) onSaved(await callApi<RetentionPeriod[]>('PUT', '/api/privacy/retention', body))
    } catch (error) {
      console.warn(error)
      const isShort = error instanceof ApiError && error.errors.some(({ message }) => message === 'at least 60 months')
      if (isShort) setErrors({ incidents: p('incidentsRange') })
      else setFailure(f(failureOf(error)))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form noValidate onSubmit={(event) => void save(event)} className="grid gap-5">
      <StatusCard status={failure ? 'error' : null}>{failure}</StatusCard>
      {rows.map(({ kind, count, unit }) => (
        <fieldset key={kind} className="grid gap-3 sm:grid-cols-[16rem_8rem_10rem] sm:items-start">
          <legend className="sr-only">{kindName(t, kind)}</legend>
          <p aria-hidden className="font-bold sm:pt-9">
            {kindName(t, kind)}
          </p>
          <TextField
            label={p('count')}
            inputMode="numeric"
            autoComplete="off"
            maxLength={5}
            value={count}
            error={errors[kind] || null}
            onChange={(event) => change(kind, { count: event.target.value })}
          />
          <SelectField
            label={p('unit')}
            value={unit}
            onChange={(event) => change(kind, { unit: event.target.value as Typed['unit'] })}
          >
            <option value="days">{p('days')}</option>
            <option value="months">{p('months')}</option>
          </SelectField>
        </fieldset>
      ))}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={busy}>
          {p('save')}
        </Button>
        <Button variant="secondary" onClick={onCancel}>
          {p('cancel')}
        </Button>
      </div>
    </form>
  )
}
