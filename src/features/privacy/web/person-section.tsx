import type { FormEvent } from 'react'
import { useState } from 'react'
import { useAuditLabels } from '#src/features/audit/web/audit-entry.tsx'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Disclosure } from '#src/ui/components/card.tsx'
import { ConfirmDialog } from '#src/ui/components/dialog.tsx'
import { StatusCard } from '#src/ui/components/status-card.tsx'
import { downloadFile } from '#src/ui/download-file.ts'
import { TextField } from '#src/ui/forms/field.tsx'
import { useSaving } from '#src/ui/forms/use-saving.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { Erasure, PersonalDataFound } from '../contract.ts'
import type { KindKey } from '../period-texts.ts'
import { kindName } from '../period-texts.ts'
import { personTexts } from '../person-texts.ts'
import { fieldLabel, fieldTexts, valueText } from '../finding-texts.ts'
import { privacyTexts } from '../texts.ts'

type Finding = PersonalDataFound['findings'][number]
type Found = { q: string; data: PersonalDataFound[] }

const shownFirst = 50
const keyOf = (kind: string, id: string) => `${kind} ${id}`

/** What can be chosen by itself: a message or a file goes with its conversation. */
function choosable({ kind, erasable, findings }: PersonalDataFound) {
  const ids = new Set(findings.map(({ id }) => id))
  const isPart = (id: string) => {
    const [parent = ''] = id.split('/', 1)
    return parent !== id && ids.has(parent)
  }
  return erasable
    ? findings.filter(({ id }) => !isPart(id)).map(({ id, certain }) => ({ key: keyOf(kind, id), kind, id, certain }))
    : []
}

/** Finds, exports and erases what is stored about a person. */
export function PersonSection() {
  const t = useTexts(personTexts)
  const { busy, failure, errorOf, save: run } = useSaving()
  const [q, setQ] = useState('')
  const [found, setFound] = useState<Found | null>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isConfirming, setConfirming] = useState(false)
  const [erasure, setErasure] = useState<Erasure | null>(null)
  const all = found?.data.flatMap(choosable) ?? []
  const findings = all.filter(({ key }) => chosen.has(key)).map(({ kind, id }) => ({ kind, id }))

  const search = async (text: string) => {
    // In the body, never in an address: addresses are logged.
    const data = await callApi<PersonalDataFound[]>('POST', '/api/privacy/search', { q: text })
    setFound({ q: text, data })
    const certain = data.flatMap(choosable).filter((one) => one.certain)
    setChosen(new Set(certain.map(({ key }) => key)))
  }
  const erase = async (text: string) => {
    setConfirming(false)
    const done = await callApi<Erasure>('POST', '/api/privacy/erase', { q: text, findings })
    await search(text)
    setErasure(done)
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setErasure(null)
    void run(() => search(q.trim()))
  }
  return (
    <section className="grid gap-5">
      <h2 className="text-xl">{t('title')}</h2>
      <p className="text-ink-2">{t('intro')}</p>
      <form method="post" noValidate role="search" onSubmit={handleSubmit} className="flex flex-wrap items-end gap-4">
        <TextField
          className="grow sm:max-w-xl"
          label={t('searched')}
          hint={t('searchedHint')}
          name="q"
          required
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          value={q}
          error={errorOf('q') && t('wrongSearch')}
          onChange={(event) => setQ(event.target.value)}
        />
        <Button type="submit" busy={busy}>
          {t('search')}
        </Button>
      </form>
      <StatusCard status={failure && !errorOf('q') ? 'error' : null}>{failure}</StatusCard>
      {erasure && <ErasureTicket erasure={erasure} />}
      {found && (
        <Findings
          key={found.q}
          data={found.data}
          chosen={chosen}
          onChoose={setChosen}
          count={{ chosen: findings.length, total: all.length }}
          onExport={(format) =>
            void run(() =>
              downloadFile('POST', '/api/privacy/export', { q: found.q, format, findings: exported(found.data, chosen) }),
            )
          }
          onErase={() => setConfirming(true)}
        />
      )}
      <ConfirmDialog
        open={isConfirming}
        title={t('eraseTitle', { count: findings.length })}
        consequence={t('eraseHint')}
        confirmLabel={t('erase', { count: findings.length })}
        busy={busy}
        onCancel={() => setConfirming(false)}
        onConfirm={() => found && void run(() => erase(found.q))}
      />
    </section>
  )
}

/** What was ticked, and what is certain of kinds that are never erased here: a person may have a copy of it. */
function exported(data: PersonalDataFound[], chosen: ReadonlySet<string>) {
  return data.flatMap((one) =>
    one.findings
      .filter(({ id, certain }) => (one.erasable ? chosen.has(keyOf(one.kind, id)) : certain))
      .map(({ id }) => ({ kind: one.kind, id })),
  )
}

type FindingsProps = {
  data: PersonalDataFound[]
  chosen: ReadonlySet<string>
  onChoose: (chosen: ReadonlySet<string>) => void
  count: { chosen: number; total: number }
  onExport: (format: 'json' | 'csv') => void
  onErase: () => void
}

/** What was found by kind, with its actions. */
function Findings({ data, chosen, onChoose, count, onExport, onErase }: FindingsProps) {
  const t = useTexts(personTexts)
  const p = useTexts(privacyTexts)
  if (data.length === 0)
    return (
      <div role="status">
        <p className="font-bold">{t('nothing')}</p>
        <p className="text-ink-2">{t('nothingHint')}</p>
      </div>
    )
  const findings = data.flatMap((one) => one.findings)
  const certain = findings.filter((one) => one.certain).length
  const possible = findings.length - certain
  const counts = [
    ...(certain > 0 ? [t('certainCount', { count: certain })] : []),
    ...(possible > 0 ? [t('possibleCount', { count: possible })] : []),
  ]
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h3 className="text-lg">
            <span role="status">{counts.join(', ')}</span>
          </h3>
          <p className="text-sm text-ink-2">{t('countsHint')}</p>
        </div>
        {chosen.size > 0 && (
          <Button variant="secondary" size="small" onClick={() => onChoose(new Set())}>
            {t('uncheckAll')}
          </Button>
        )}
      </div>
      <div>
        {data.map((one) => (
          <Disclosure
            key={one.kind}
            open={one.findings.length <= 5}
            title={t('kindCount', { kind: kindName(p, one.kind), count: one.findings.length })}
          >
            {(!one.erasable || one.kind === 'recordings') && <p className="mb-4 font-bold">{p(reasonKey(one.kind))}</p>}
            <KindFindings found={one} chosen={chosen} onChoose={onChoose} />
            {one.has_more && <p className="mt-4 font-bold">{t('hasMore')}</p>}
          </Disclosure>
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-3 border-t-2 border-dashed border-line pt-5">
        <p className="me-auto tabular" role="status">
          {t('chosenCount', { count: count.chosen, total: count.total })}
        </p>
        <Button variant="secondary" onClick={() => onExport('json')}>
          {t('exportJson')}
        </Button>
        <Button variant="secondary" onClick={() => onExport('csv')}>
          {t('exportCsv')}
        </Button>
        {count.chosen > 0 && (
          <Button variant="danger" onClick={onErase}>
            {t('erase', { count: count.chosen })}
          </Button>
        )}
      </div>
    </>
  )
}

type KindFindingsProps = Pick<FindingsProps, 'chosen' | 'onChoose'> & { found: PersonalDataFound }

/** Records of one kind, so many at a time, each with its box where it can be erased by itself. */
function KindFindings({ found, chosen, onChoose }: KindFindingsProps) {
  const t = useTexts(personTexts)
  const [shown, setShown] = useState(shownFirst)
  const boxes = new Set(choosable(found).map(({ id }) => id))
  const { kind, findings } = found
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(keyOf(kind, id))
    else next.delete(keyOf(kind, id))
    onChoose(next)
  }
  const rest = findings.length - shown
  return (
    <>
      <ul className="grid gap-4">
        {findings.slice(0, shown).map((finding) => (
          <li key={finding.id} className={`border-s-2 ps-4 ${finding.certain ? 'border-line' : 'border-dashed border-edge'}`}>
            {boxes.has(finding.id) ? (
              <label className="flex min-h-11 items-center gap-3">
                <input
                  type="checkbox"
                  className="size-5"
                  checked={chosen.has(keyOf(kind, finding.id))}
                  onChange={(event) => choose(finding.id, event.target.checked)}
                />
                <FindingName finding={finding} />
              </label>
            ) : (
              <p>
                <FindingName finding={finding} />
              </p>
            )}
            <FindingFields kind={kind} finding={finding} />
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <p className="mt-4">
          <Button variant="secondary" size="small" onClick={() => setShown(shown + shownFirst)}>
            {t('showMore', { count: Math.min(rest, shownFirst) })}
          </Button>
        </p>
      )}
    </>
  )
}

function FindingName({ finding: { id, at } }: { finding: Finding }) {
  const language = useLanguage()
  return (
    <span className="font-bold text-ink">
      <span>{`${id} · `}</span>
      <time dateTime={at}>{formatDateTime(at, language)}</time>
    </span>
  )
}

/** Of a candidate first what it was found by, then all of its fields by name. */
function FindingFields({ kind, finding: { fields, certain, found_by: place } }: { kind: string; finding: Finding }) {
  const language = useLanguage()
  const t = useTexts(personTexts)
  const f = useTexts(fieldTexts)
  const labels = useAuditLabels()
  const nameOf = (field: string) => {
    const state = stateOf(field)
    return state ? `${f(state.name)}, ${labels.fieldName(state.field)}` : (fieldLabel(field, language) ?? field)
  }
  const textOf = (field: string, value: Finding['fields'][string]) => {
    if (typeof value === 'boolean') return f(value ? 'yes' : 'no')
    const [state, text] = [stateOf(field), String(value)]
    if (state) return labels.valueName(state.field, text)
    if (field === 'area') return labels.areaName(text)
    return field === 'action' ? labels.actionName(text) : valueText(kind, field, text, language)
  }
  return (
    <>
      {!certain && (
        <p className="mb-1 flex flex-wrap gap-2 text-sm">
          <span className="rounded-sm border border-dashed border-edge px-2">{t('possible')}</span>
          {place && <span className="wrap-anywhere">{t('foundIn', { field: nameOf(place.field), text: place.text })}</span>}
        </p>
      )}
      <dl className="text-sm wrap-anywhere">
        {Object.entries(fields)
          .filter(([, value]) => value !== null && value !== '')
          .map(([field, value]) => (
            <div key={field} className="flex flex-wrap gap-x-2">
              <dt className="font-bold">{nameOf(field)}</dt>
              <dd className="whitespace-pre-line">{textOf(field, value)}</dd>
            </div>
          ))}
      </dl>
    </>
  )
}

/** A value of an event of the audit log, `before.title`. */
function stateOf(field: string) {
  const [name, ...rest] = field.split('.')
  return (name === 'before' || name === 'after') && rest.length > 0 ? ({ name, field: rest.join('.') } as const) : null
}

/** What was erased, with its proof, and what stays, with the reason. */
function ErasureTicket({ erasure: { proof, erased, kept } }: { erasure: Erasure }) {
  const t = useTexts(personTexts)
  const p = useTexts(privacyTexts)
  const groups = Map.groupBy(kept, ({ kind, reason }) => `${kind} ${reason}`)
  const lines = [...groups.values()].flatMap((all) => {
    const [first] = all
    if (!first) return []
    const { kind, reason } = first
    const list = all.map(({ id }) => id).join(', ')
    const words =
      reason === 'legal hold'
        ? t('legalHold', { list })
        : reason === 'not chosen'
          ? t('notChosen')
          : reasons[kind]
            ? p(reasonKey(kind))
            : t('retained')
    return [{ key: `${kind} ${reason}`, text: t('keptLine', { count: all.length, kind: kindName(p, kind), reason: words }) }]
  })
  return (
    <section className="card grid gap-4 p-6" aria-live="polite">
      <h3 className="text-lg">{t(proof === null ? 'nothingErased' : 'erased')}</h3>
      {proof !== null && (
        <p>
          <span className="block text-sm text-ink-2">{t('proof')}</span>
          <strong className="tabular wrap-anywhere">{proof}</strong>
        </p>
      )}
      <div className="grid gap-6 sm:grid-cols-2">
        {proof !== null && (
          <div>
            <h4 className="font-bold">{t('erasedTitle')}</h4>
            <ul>
              {Object.entries(erased).map(([kind, count]) => (
                <li key={kind}>{t('erasedLine', { count, kind: kindName(p, kind) })}</li>
              ))}
            </ul>
          </div>
        )}
        {lines.length > 0 && (
          <div>
            <h4 className="font-bold">{t('keptTitle')}</h4>
            <ul>
              {lines.map(({ key, text }) => (
                <li key={key} className="wrap-anywhere">
                  {text}
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
      {proof !== null && (
        <p className="print:hidden">
          <Button variant="secondary" onClick={() => print()}>
            {t('print')}
          </Button>
        </p>
      )}
    </section>
  )
}

const reasons: Record<string, KindKey> = {
  users: 'usersReason',
  employees: 'employeesReason',
  journal: 'journalReason',
  recordings: 'recordingsReason',
}

const reasonKey = (kind: string): KindKey => reasons[kind] ?? 'retained'
