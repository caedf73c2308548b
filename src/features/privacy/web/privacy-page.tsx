import type { FormEvent } from 'react'
import { useState } from 'react'
import type { Officer } from '#src/features/company/contract.ts'
import { useRights } from '#src/features/content/web/admin-context.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { hasRight } from '#src/lib/rights.ts'
import { getJson, callApi } from '#src/ui/api.ts'
import { ButtonLink, Button } from '#src/ui/components/button.tsx'
import { useTexts, useLanguage } from '#src/ui/language.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { ConfirmDialog } from '#src/ui/components/dialog.tsx'
import { Disclosure } from '#src/ui/components/card.tsx'
import { StatusCard } from '#src/ui/components/status-card.tsx'
import { downloadFile } from '#src/ui/download-file.ts'
import { failureOf, failureTexts, fieldErrorTexts } from '#src/ui/forms/failures.ts'
import { TextField } from '#src/ui/forms/field.tsx'
import type { RetentionPeriod, Erasure, PersonalDataFound, TableEnding } from '../contract.ts'
import type { KindKey } from '../period-texts.ts'
import { kindName } from '../period-texts.ts'
import { privacyTexts, fieldKey, fieldTexts } from '../texts.ts'
import { OfficerSection } from './officer-section.tsx'
import { PeriodsSection } from './periods-section.tsx'
import type { Route } from './+types/privacy-page.ts'

export async function clientLoader() {
  const [officer, periods, tables] = await Promise.all([
    getJson<Officer>('/api/privacy/officer'),
    getJson<RetentionPeriod[]>('/api/privacy/retention'),
    getJson<TableEnding[]>('/api/privacy/tables'),
  ])
  return { officer, periods, tables }
}

/** Personal data of one person, and the retention periods. */
export default function PrivacyPage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(privacyTexts)
  const language = useLanguage()
  const canSearch = hasRight(useRights(), 'privacy', 'read_write')
  return (
    <>
      <AdminHead
        title={t('title')}
        backTo="/admin/panel"
        actions={
          <>
            <ButtonLink variant="secondary" to="/admin/registre">
              {t('demandsTitle')}
            </ButtonLink>
            <ButtonLink variant="secondary" to="/admin/incidents">
              {t('incidentsTitle')}
            </ButtonLink>
          </>
        }
      />
      <div className="grid max-w-4xl gap-10">
        {canSearch && <PersonalDataSection />}
        <OfficerSection officer={loaderData.officer} />
        <PeriodsSection periods={loaderData.periods} />
        <section>
          <Disclosure title={t('otherTitle')}>
            <Table
              caption={t('otherTitle')}
              rows={loaderData.tables.filter(({ kind }) => kind === null)}
              rowKey={({ label }) => label.fr}
              columns={[
                { header: t('kind'), cell: ({ label }) => label[language], isRowHeader: true },
                {
                  header: t('endHeader'),
                  cell: ({ days, reason }) => (days === null ? reason?.[language] : t('days', { count: days })),
                },
              ]}
            />
          </Disclosure>
        </section>
      </div>
    </>
  )
}

type Outcome = { status: 'success' | 'error'; text: string }

/** Finds, exports and erases all personal data of an address. */
function PersonalDataSection() {
  const t = useTexts(privacyTexts)
  const f = useTexts(failureTexts)
  const e = useTexts(fieldErrorTexts)
  const [email, setEmail] = useState('')
  const [found, setFound] = useState<{ email: string; data: PersonalDataFound[] } | null>(null)
  const [isInvalid, setInvalid] = useState(false)
  const [busy, setBusy] = useState(false)
  const [isConfirming, setConfirming] = useState(false)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [outcome, setOutcome] = useState<Outcome | null>(null)

  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    setOutcome(null)
    setInvalid(false)
    try {
      await work()
    } catch (error) {
      console.warn(error)
      const failure = failureOf(error)
      setInvalid(failure === 'invalid')
      if (failure !== 'invalid') setOutcome({ status: 'error', text: f(failure) })
    } finally {
      setBusy(false)
    }
  }
  const search = async (address: string) => {
    setFound({ email: address, data: await callApi<PersonalDataFound[]>('POST', '/api/privacy/search', { email: address }) })
    setChosen([])
  }
  /** Nothing where no candidate was ticked: the server takes whatever is certain. */
  const choice = () => (chosen.length > 0 && found ? { findings: chosenOf(found.data, chosen) } : {})
  const erase = async (address: string) => {
    setConfirming(false)
    const { proof, kept } = await callApi<Erasure>('POST', '/api/privacy/erase', { email: address, ...choice() })
    await search(address)
    const underHold = kept.filter(({ reason }) => reason === 'legal hold')
    const list = underHold.map(({ kind, id }) => `${kindName(t, kind)} ${id}`).join(', ')
    const held = underHold.length > 0 ? [t('heldBack', { count: underHold.length, list })] : []
    const others = Map.groupBy(
      kept.filter(({ reason }) => reason !== 'legal hold'),
      ({ kind, reason }) => `${kind} ${reason}`,
    )
    const left = [...others.values()].flatMap((all) => {
      const [first] = all
      if (!first) return []
      const reason = t(first.reason === 'not chosen' ? 'notChosen' : reasonKey(first.kind))
      return t('leftOver', { kind: kindName(t, first.kind), count: all.length, reason })
    })
    const result = proof === null ? t('nothingErased') : t('erased', { proof })
    setOutcome({ status: proof === null ? 'error' : 'success', text: [result, ...held, ...left].join(' ') })
  }
  /** The address is sent in the body, never in a URL. */
  const saveExport = (address: string, format: 'json' | 'csv') =>
    downloadFile('POST', '/api/privacy/export', { email: address, format, ...choice() })
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    void run(() => search(email.trim()))
  }

  return (
    <section className="grid gap-5">
      <h2 className="text-xl">{t('personTitle')}</h2>
      <p className="text-ink-2">{t('personIntro')}</p>
      <form method="post" noValidate onSubmit={handleSubmit} className="flex flex-wrap items-end gap-4">
        <TextField
          className="grow sm:max-w-md"
          label={t('email')}
          type="email"
          name="email"
          required
          maxLength={254}
          autoComplete="off"
          value={email}
          error={isInvalid ? e('invalid e-mail address') : null}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Button type="submit" busy={busy}>
          {t('search')}
        </Button>
      </form>
      <StatusCard status={outcome?.status ?? null}>{outcome?.text}</StatusCard>
      {found && (
        <FoundByAddress
          data={found.data}
          chosen={chosen}
          onChoose={setChosen}
          onExport={(format) => void run(() => saveExport(found.email, format))}
          onErase={() => setConfirming(true)}
        />
      )}
      <ConfirmDialog
        open={isConfirming}
        title={found?.email}
        consequence="final"
        confirmLabel={t('erase')}
        busy={busy}
        onCancel={() => setConfirming(false)}
        onConfirm={() => found && void run(() => erase(found.email))}
      />
    </section>
  )
}

/** Whatever is certain, and the candidates that were ticked. */
function chosenOf(data: PersonalDataFound[], chosen: readonly string[]) {
  return data.flatMap(({ kind, findings }) => {
    const ids = new Set(findings.map(({ id }) => id))
    return findings.flatMap(({ id, certain }) => {
      const [parent = ''] = id.split('/', 1)
      // A message goes with its conversation.
      const isPart = parent !== id && ids.has(parent)
      return (certain && !isPart) || chosen.includes(`${kind} ${id}`) ? [{ kind, id }] : []
    })
  })
}

type ChoiceProps = { chosen: readonly string[]; onChoose: (chosen: readonly string[]) => void }
type FoundByAddressProps = ChoiceProps & {
  data: PersonalDataFound[]
  onExport: (format: 'json' | 'csv') => void
  onErase: () => void
}

/** Personal data of one address by kind, with its actions. */
function FoundByAddress({ data, chosen, onChoose, onExport, onErase }: FoundByAddressProps) {
  const t = useTexts(privacyTexts)
  if (data.length === 0) return <p role="status">{t('nothing')}</p>
  return (
    <>
      <div>
        {data.map((one) => (
          <Disclosure key={one.kind} title={t('found', { kind: kindName(t, one.kind), count: one.findings.length })}>
            {(!one.erasable || one.findings.some(({ certain }) => !certain)) && (
              <p className="mb-4 font-bold">{t(reasonKey(one.kind))}</p>
            )}
            <FindingList kind={one.kind} findings={one.findings} chosen={chosen} onChoose={onChoose} />
          </Disclosure>
        ))}
      </div>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={() => onExport('json')}>
          {t('exportJson')}
        </Button>
        <Button variant="secondary" onClick={() => onExport('csv')}>
          {t('exportCsv')}
        </Button>
        {(chosen.length > 0 || data.some((one) => one.erasable && one.findings.some(({ certain }) => certain))) && (
          <Button variant="danger" onClick={onErase}>
            {chosen.length > 0 ? t('eraseChosen', { count: chosen.length }) : t('erase')}
          </Button>
        )}
      </div>
    </>
  )
}

type FindingListProps = ChoiceProps & Pick<PersonalDataFound, 'kind' | 'findings'>
type Finding = PersonalDataFound['findings'][number]
type Value = Finding['fields'][string]

/** Records of one kind, with their fields by name; what may be another person's is ticked one by one. */
function FindingList({ kind, findings, chosen, onChoose }: FindingListProps) {
  const t = useTexts(fieldTexts)
  const nameOf = (field: string) => {
    const key = fieldKey(field)
    return key ? t(key) : field
  }
  const textOf = (value: Value) => (typeof value === 'boolean' ? t(value ? 'yes' : 'no') : String(value))
  return (
    <ul className="grid gap-4">
      {findings.map((finding) => (
        <li key={finding.id} className="border-s-2 border-line ps-4">
          <FindingHead
            finding={finding}
            isChosen={chosen.includes(`${kind} ${finding.id}`)}
            onChoose={(isChosen) => {
              const others = chosen.filter((one) => one !== `${kind} ${finding.id}`)
              onChoose(isChosen ? [...others, `${kind} ${finding.id}`] : others)
            }}
          />
          <dl className="text-sm wrap-anywhere">
            {Object.entries(finding.fields)
              .filter(([, value]) => value !== null && value !== '')
              .map(([field, value]) => (
                <div key={field} className="flex flex-wrap gap-x-2">
                  <dt className="font-bold">{nameOf(field)}</dt>
                  <dd className="whitespace-pre-line">{textOf(value)}</dd>
                </div>
              ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}

type FindingHeadProps = { finding: Finding; isChosen: boolean; onChoose: (isChosen: boolean) => void }

function FindingHead({ finding: { id, at, certain }, isChosen, onChoose }: FindingHeadProps) {
  const language = useLanguage()
  const name = (
    <>
      <span>{`${id} · `}</span>
      <time dateTime={at}>{formatDateTime(at, language)}</time>
    </>
  )
  if (certain) return <p className="font-bold text-ink">{name}</p>
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input type="checkbox" className="size-5" checked={isChosen} onChange={(event) => onChoose(event.target.checked)} />
      <span className="font-bold text-ink">{name}</span>
    </label>
  )
}

const reasons: Record<string, KindKey> = {
  users: 'usersReason',
  employees: 'employeesReason',
  journal: 'journalReason',
  recordings: 'recordingsReason',
}

const reasonKey = (kind: string): KindKey => reasons[kind] ?? 'retained'
