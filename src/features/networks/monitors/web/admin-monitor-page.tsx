import type { ReactNode, RefObject } from 'react'
import { useEffect, useId, useRef, useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { EntryForm } from '#src/features/content/web/entry-form.tsx'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { pickText } from '#src/lib/language/language.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { CopyButton } from '#src/ui/components/copy-button.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { Card } from '#src/ui/components/card.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { SelectField, TextField } from '#src/ui/forms/field.tsx'
import { SwitchField } from '#src/ui/forms/switch-field.tsx'
import { useEntryForm, useFieldProps } from '#src/ui/forms/use-entry-form.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { Network } from '../../contract.ts'
import { elementName, readDetails } from '../../values.ts'
import type { CreatedMonitor, Monitor, MonitorHistory as History } from '../contract.ts'
import { monitorTexts } from '../texts.ts'
import type { MonitorKind, MonitorPeriod, MonitorState as State, ResultReason } from '../values.ts'
import { monitorKinds, monitorPeriods, usual, usualFailures } from '../values.ts'
import type { Route } from './+types/admin-monitor-page.ts'
import { describeElement, MonitorState, useRefresh } from './admin-monitors-page.tsx'
import { MonitorHistory } from './monitor-history.tsx'

type Values = {
  /** Network and component: `3:Fibre`. */
  element: string
  kind: MonitorKind
  target: string
  interval_s: string
  timeout_ms: string
  failures_before: string
  status: string
  text: string
  days_left: string
  then: Monitor['then']
  enabled: boolean
  version?: number
}
type Result = { state: State; ms: number | null; reason: ResultReason | null; detail: string }

const path = '/api/networks/monitors'
const listPath = '/admin/reseau/surveillance'

/** The address of a signal, from its creation to the page that shows it once. */
let createdAddress: { id: number; url: string } | null = null

export async function clientLoader({ params: { id_monitor: id }, request }: Route.ClientLoaderArgs) {
  const asked = new URL(request.url).searchParams.get('period')
  const period: MonitorPeriod = monitorPeriods.find((one) => one === asked) ?? 'day'
  const networks = await getJson<Network[]>('/api/networks/reseau')
  if (!id) return { networks, monitor: null, history: null, period }
  const [monitor, history] = await Promise.all([
    getJson<Monitor>(`${path}/${encodeURIComponent(id)}`),
    getJson<History>(`${path}/${encodeURIComponent(id)}/history?period=${period}`),
  ])
  return { networks, monitor, history, period }
}

/** Creates a monitor, or shows one: its state, its settings and its history. */
export default function AdminMonitorPage({ loaderData: { networks, monitor, history, period } }: Route.ComponentProps) {
  useRight(['networks'], 'administrator')
  useRefresh()
  // Outside the form, which begins anew with each version, such as after a pause.
  const action = useAction()
  const isPausing = useRef(false)
  return (
    <>
      <MonitorForm
        key={`${monitor?.id_monitor} ${monitor?.version}`}
        networks={networks}
        monitor={monitor}
        now={monitor && <Now monitor={monitor} action={action} isPausing={isPausing} />}
      />
      {monitor && history && <MonitorHistory history={history} period={period} />}
      <Toast {...action.toast} />
    </>
  )
}

type FormProps = { networks: Network[]; monitor: Monitor | null; now: ReactNode }

function MonitorForm({ networks, monitor, now }: FormProps) {
  const t = useTexts(monitorTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const form = useEntryForm<Values, CreatedMonitor>({
    draftKey: `monitors/${monitor?.id_monitor ?? 'new'}`,
    initial: monitor ? valuesOf(monitor) : emptyValues(networks),
    readCurrent: (current) => valuesOf(current as Monitor),
    save: (values) =>
      monitor
        ? callApi('PUT', `${path}/${monitor.id_monitor}`, { ...inputOf(values), version: values.version })
        : callApi('POST', path, inputOf(values)),
    onSaved: ({ id_monitor: id, signal_url: url }) => {
      if (url) createdAddress = { id, url }
      if (monitor) void revalidate()
      else void navigate(`${listPath}/${id}`, { replace: true })
    },
  })
  const { values, change } = form
  const { textOf, errorOf } = useFieldProps(form, { 'forbidden address': t('forbidden address'), invalid: t('wrong target') })
  const { kind } = values
  const chooseKind = (next: MonitorKind) =>
    change({ kind: next, target: next === 'signal' ? '' : values.target, failures_before: String(usualFailures(next)) })
  const name = monitor && describeElement(networks, monitor, language)
  return (
    <EntryForm
      title={monitor ? (name ?? t('gone')) : t('createTitle')}
      subtitle={monitor && `${t(monitor.kind)} ${monitor.target}`}
      backTo={listPath}
      form={form}
      fields={[
        { key: 'target', label: t('target') },
        { key: 'interval_s', label: t('interval') },
      ]}
    >
      {now}
      <div className="grid gap-6 md:grid-cols-2">
        <SelectField
          label={t('element')}
          error={errorOf('elements') ?? errorOf('id_reseau')}
          value={values.element}
          onChange={(event) => change({ element: event.target.value })}
        >
          {placesOf(networks).map(({ value, network, detail }) => (
            <option key={value} value={value}>
              {detail
                ? `${pickText(language, detail.nom, detail.nom_en)} (${network.nom})`
                : t('wholeNetwork', { name: network.nom })}
            </option>
          ))}
        </SelectField>
        <SelectField label={t('kind')} value={kind} onChange={(event) => chooseKind(event.target.value as MonitorKind)}>
          {monitorKinds.map((one) => (
            <option key={one} value={one}>
              {t(one)}
            </option>
          ))}
        </SelectField>
        {kind === 'signal' ? (
          <p className="text-ink-2 md:col-span-2">{t('hint_signal')}</p>
        ) : (
          <TextField
            label={t('target')}
            hint={t(`hint_${kind}`)}
            maxLength={500}
            {...textOf('target')}
            error={errorOf('target')}
          />
        )}
        {kind === 'http' && (
          <>
            <TextField
              label={t('status')}
              hint={t('statusHint')}
              optional
              inputMode="numeric"
              {...textOf('status')}
              error={errorOf('expect.status')}
            />
            <TextField label={t('text')} optional maxLength={200} {...textOf('text')} error={errorOf('expect.text')} />
          </>
        )}
        {kind === 'dns' && (
          <TextField label={t('address')} optional maxLength={200} {...textOf('text')} error={errorOf('expect.text')} />
        )}
        {kind === 'certificate' && (
          <TextField
            label={t('daysLeft')}
            hint={t('daysLeftHint')}
            optional
            inputMode="numeric"
            {...textOf('days_left')}
            error={errorOf('expect.days_left')}
          />
        )}
        <TextField
          label={t('interval')}
          hint={t(kind === 'signal' ? 'silenceHint' : 'intervalHint')}
          inputMode="numeric"
          {...textOf('interval_s')}
        />
        {kind !== 'signal' && (
          <TextField label={t('timeout')} hint={t('timeoutHint')} inputMode="numeric" {...textOf('timeout_ms')} />
        )}
        <TextField
          label={t('failures')}
          hint={t(kind === 'signal' ? 'silencesHint' : 'failuresHint')}
          inputMode="numeric"
          {...textOf('failures_before')}
        />
        <SelectField
          label={t('then')}
          value={values.then}
          onChange={(event) => change({ then: event.target.value as Values['then'] })}
        >
          <option value="propose">{t('propose')}</option>
          <option value="publish">{t('publish')}</option>
        </SelectField>
        <SwitchField
          label={t('enabled')}
          hint={t('enabledHint')}
          checked={values.enabled}
          onChange={(enabled) => change({ enabled })}
        />
      </div>
      {kind !== 'signal' && <TestButton input={inputOf(values)} />}
    </EntryForm>
  )
}

/** Checks what is entered, which is not saved. */
function TestButton({ input }: { input: ReturnType<typeof inputOf> }) {
  const t = useTexts(monitorTexts)
  const { busy, run, toast } = useAction()
  const [tested, setTested] = useState<{ of: string; result: Result } | null>(null)
  const entered = JSON.stringify(input)
  const handleTest = async () => {
    setTested(null)
    setTested({ of: entered, result: await callApi<Result>('POST', `${path}/test`, input) })
  }
  const result = tested?.of === entered ? tested.result : null
  return (
    <div className="mt-6 flex flex-wrap items-center gap-4">
      <Button variant="secondary" busy={busy} onClick={() => void run(handleTest, {})}>
        {t('test')}
      </Button>
      <div role="status" aria-label={t('tested')}>
        {busy && <span>{t('testing')}</span>}
        {result && (
          <p>
            <strong>{t(result.state)}</strong>
            {result.ms !== null && <span>{`, ${t('responseTime', { ms: result.ms })}`}</span>}
            {result.reason && <span>{`. ${t(`reason ${result.reason}`, { detail: result.detail })}`}</span>}
          </p>
        )}
      </div>
      <Toast {...toast} />
    </div>
  )
}

type NowProps = { monitor: Monitor; action: ReturnType<typeof useAction>; isPausing: RefObject<boolean> }

/** The state, and what can be done now. */
function Now({ monitor, action: { busy, run }, isPausing }: NowProps) {
  const t = useTexts(monitorTexts)
  const language = useLanguage()
  const { revalidate } = useRevalidator()
  const pauseId = useId()
  useEffect(() => {
    // The button that was pressed is another element now.
    if (isPausing.current) document.getElementById(pauseId)?.focus()
    isPausing.current = false
  }, [isPausing, pauseId])
  const address = createdAddress?.id === monitor.id_monitor ? createdAddress.url : null
  const [url, setUrl] = useState(address)
  const { id_monitor: id, enabled, since, checked_at: at, ms, id_incident: incident } = monitor
  const isSignal = monitor.kind === 'signal'
  const handleCheck = async () => {
    await callApi('POST', `${path}/${id}/check`)
    await revalidate()
  }
  const handlePause = async () => {
    // Before the answer, which the live update of the page may overtake.
    isPausing.current = true
    try {
      await callApi('PUT', `${path}/${id}`, { ...inputOf(valuesOf(monitor)), enabled: !enabled, version: monitor.version })
    } catch (error) {
      isPausing.current = false
      throw error
    }
    await revalidate()
  }
  const handleRenew = async () => setUrl((await callApi<{ signal_url: string }>('POST', `${path}/${id}/address`)).signal_url)
  return (
    <Card className="mb-8 grid gap-4 p-5">
      <h2 className="text-xl">{t('now')}</h2>
      <div className="flex flex-wrap items-start gap-x-8 gap-y-3">
        <MonitorState monitor={monitor} />
        {since && <p>{t('since', { time: formatDateTime(since, language) })}</p>}
        <p className="tabular">
          <span>{t('lastAt', { time: at ? formatDateTime(at, language) : t('never') })}</span>
          {at && ms !== null && <span>{`, ${t('responseTime', { ms })}`}</span>}
        </p>
        {incident && (
          <Link className="font-bold text-brand underline" to={`/admin/reseau/pannes/${incident}`}>
            {t('openOutage')}
          </Link>
        )}
      </div>
      <div className="flex flex-wrap gap-3">
        {!isSignal && enabled && (
          <Button variant="secondary" size="small" busy={busy} onClick={() => void run(handleCheck, { done: t('checked') })}>
            {t('checkNow')}
          </Button>
        )}
        <Button
          id={pauseId}
          variant="secondary"
          size="small"
          busy={busy}
          onClick={() => void run(handlePause, { done: t(enabled ? 'pausedDone' : 'resumedDone') })}
        >
          {t(enabled ? 'pause' : 'resume')}
        </Button>
        {isSignal && (
          <Button variant="secondary" size="small" busy={busy} onClick={() => void run(handleRenew, {})}>
            {t('renew')}
          </Button>
        )}
      </div>
      {isSignal && !url && <p className="text-sm text-ink-2">{t('renewHint')}</p>}
      {url && (
        <div role="status" className="grid gap-2 rounded-card bg-brand-soft p-4">
          <p className="font-bold">{t('signalOnce')}</p>
          <TextField label={t('signalAddress')} readOnly value={url} onFocus={(event) => event.target.select()} />
          <div className="flex flex-wrap gap-3">
            <CopyButton text={url} />
          </div>
        </div>
      )}
    </Card>
  )
}

/** Every component, after its network as a whole. */
function placesOf(networks: readonly Network[]) {
  return networks.flatMap((network) => [
    ...readDetails(network.details).map((detail) => ({ value: `${network.id_reseau}:${elementName(detail)}`, network, detail })),
    { value: `${network.id_reseau}:`, network, detail: null },
  ])
}

function emptyValues(networks: readonly Network[]): Values {
  return {
    element: placesOf(networks)[0]?.value ?? '',
    kind: 'http',
    target: '',
    interval_s: String(usual.interval_s),
    timeout_ms: String(usual.timeout_ms),
    failures_before: String(usualFailures('http')),
    status: '',
    text: '',
    days_left: '',
    then: 'propose',
    enabled: true,
  }
}

function valuesOf({ id_reseau, element, expect, interval_s, timeout_ms, failures_before, ...rest }: Monitor): Values {
  const { kind, target, then: action, enabled, version } = rest
  return {
    element: `${id_reseau}:${element}`,
    kind,
    target,
    interval_s: String(interval_s),
    timeout_ms: String(timeout_ms),
    failures_before: String(failures_before),
    status: String(expect.status ?? ''),
    text: expect.text ?? '',
    days_left: String(expect.days_left ?? ''),
    then: action,
    enabled,
    version,
  }
}

/** Only what the kind expects is sent; a number that cannot be read is refused by the server. */
function inputOf({ element, kind, target, status, text, days_left, then: action, enabled, ...rest }: Values) {
  const [, network = '', name = ''] = /^(\d+):(.*)$/s.exec(element) ?? []
  const numberOf = (value: string) => (/^\d+$/.test(value.trim()) ? Number(value) : value)
  return {
    id_reseau: Number(network),
    element: name,
    kind,
    target: target.trim(),
    interval_s: numberOf(rest.interval_s),
    timeout_ms: numberOf(rest.timeout_ms),
    failures_before: numberOf(rest.failures_before),
    expect: {
      ...(kind === 'http' && status.trim() && { status: numberOf(status) }),
      ...((kind === 'http' || kind === 'dns') && text.trim() && { text: text.trim() }),
      ...(kind === 'certificate' && days_left.trim() && { days_left: numberOf(days_left) }),
    },
    then: action,
    enabled,
  }
}
