import { company } from '#company/company.ts'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { EntryForm } from '#src/features/content/web/entry-form.tsx'
import { callApi, getJson } from '#src/ui/api.ts'
import { SelectField, TextField } from '#src/ui/forms/field.tsx'
import { useEntryForm, useFieldProps } from '#src/ui/forms/use-entry-form.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { RequestBlock, RequestSettings } from '../contract.ts'
import { requestSettingsTexts } from '../settings-texts.ts'
import type { Priority } from '../values.ts'
import { priorities } from '../values.ts'
import type { Route } from './+types/admin-request-settings-page.ts'
import { BlockedSenders } from './blocked-senders.tsx'

const path = '/api/requests/requests'

export async function clientLoader() {
  const [settings, blocks] = await Promise.all([
    getJson<RequestSettings>(`${path}/settings`),
    getJson<RequestBlock[]>(`${path}/blocks`),
  ])
  return { settings, blocks }
}

/** `/admin/demandes/settings`: goals, reopening, mail of strangers and blocked senders. */
export default function AdminRequestSettingsPage({ loaderData: { settings, blocks } }: Route.ComponentProps) {
  useRight(['requests'], 'administrator')
  return (
    <>
      <SettingsForm settings={settings} />
      <div className="mt-10 max-w-3xl">
        <BlockedSenders blocks={blocks} canWrite />
      </div>
    </>
  )
}

type GoalKey = `goals.${Priority}.${'respond' | 'resolve'}_minutes`
/** Named as the API names the values that it refuses. */
type Values = Record<GoalKey, string> & { version: number; reopen_days: string; unknown_mail: RequestSettings['unknown_mail'] }

const sooner = priorities.toReversed()

/** One form for all of it; it stays open after a save. */
function SettingsForm({ settings }: { settings: RequestSettings }) {
  const t = useTexts(requestSettingsTexts)
  const language = useLanguage()
  const form = useEntryForm<Values, RequestSettings>({
    draftKey: 'requests/settings',
    initial: valuesOf(settings),
    readCurrent: (current) => valuesOf(current as RequestSettings),
    save: (values) => callApi('PUT', `${path}/settings`, settingsOf(values)),
    onSaved: (saved): void => form.restart(valuesOf(saved)),
  })
  const { values, change, errors } = form
  const { textOf } = useFieldProps(form)
  const choices = { request: t('request'), review: t('review') }

  return (
    <EntryForm
      title={t('title')}
      backTo="/admin/demandes"
      form={form}
      fields={[
        ...sooner.flatMap((priority) => [
          { key: `goals.${priority}.respond_minutes` as const, label: t('respondOf', { priority: t(priority) }) },
          { key: `goals.${priority}.resolve_minutes` as const, label: t('resolveOf', { priority: t(priority) }) },
        ]),
        { key: 'reopen_days', label: t('reopen') },
        { key: 'unknown_mail', label: t('unknown'), show: (choice: Values['unknown_mail']) => choices[choice] },
      ]}
    >
      <div className="grid max-w-3xl gap-10">
        <section aria-label={t('goals')} className="grid gap-6">
          <div>
            <h2 className="text-xl">{t('goals')}</h2>
            <p className="text-ink-2">{t('goalsHint')}</p>
          </div>
          {sooner.map((priority) => (
            <fieldset key={priority} className="grid gap-4 sm:grid-cols-2">
              <legend className="mb-2 font-bold">{t(priority)}</legend>
              {(['respond', 'resolve'] as const).map((part) => (
                <MinutesField key={part} form={form} name={`goals.${priority}.${part}_minutes`} label={t(part)} />
              ))}
            </fieldset>
          ))}
        </section>
        <TextField
          label={t('reopen')}
          hint={t('reopenHint')}
          {...textOf('reopen_days')}
          error={errors.reopen_days ? t('daysRange') : null}
          inputMode="numeric"
          autoComplete="off"
        />
        <SelectField
          label={t('unknown')}
          hint={t('unknownHint')}
          value={values.unknown_mail}
          onChange={(event) => change({ unknown_mail: event.target.value as Values['unknown_mail'] })}
        >
          {(['request', 'review'] as const).map((choice) => (
            <option key={choice} value={choice}>
              {choices[choice]}
            </option>
          ))}
        </SelectField>
        <section aria-label={t('retention')}>
          <h2 className="text-xl">{t('retention')}</h2>
          <p className="text-ink-2">
            {company.periods &&
              t('retentionText', { requests: company.periods.requests[language], mails: company.periods.mails[language] })}
          </p>
        </section>
      </div>
    </EntryForm>
  )
}

type MinutesFieldProps = { form: ReturnType<typeof useEntryForm<Values, RequestSettings>>; name: GoalKey; label: string }

function MinutesField({ form, name, label }: MinutesFieldProps) {
  const t = useTexts(requestSettingsTexts)
  const { textOf } = useFieldProps(form)
  const refusal = form.errors[name]
  return (
    <TextField
      label={label}
      {...textOf(name)}
      error={refusal ? t(refusal === 'shorter than the first reply' ? 'tooShort' : 'minutesRange') : null}
      hint={t('inHours', { text: describeMinutes(form.values[name]) })}
      inputMode="numeric"
      autoComplete="off"
    />
  )
}

function describeMinutes(text: string) {
  const minutes = Number(text)
  if (!Number.isInteger(minutes) || minutes < 0) return '–'
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 && `${hours}\u00a0h`, (rest > 0 || hours === 0) && `${rest}\u00a0min`].filter(Boolean).join(' ')
}

function valuesOf({ version, goals, reopen_days: days, unknown_mail }: RequestSettings): Values {
  const minutes = Object.fromEntries(
    priorities.flatMap((priority) => [
      [`goals.${priority}.respond_minutes`, String(goals[priority].respond_minutes)],
      [`goals.${priority}.resolve_minutes`, String(goals[priority].resolve_minutes)],
    ]),
  ) as Record<GoalKey, string>
  return { ...minutes, version, reopen_days: String(days), unknown_mail }
}

/** What is no number is refused by the API, with the name of its field. */
const numberOf = (text: string) => (/^\d{1,7}$/.test(text.trim()) ? Number(text.trim()) : -1)

function settingsOf({ version, reopen_days: days, unknown_mail, ...minutes }: Values): RequestSettings {
  const goalOf = (priority: Priority) => ({
    respond_minutes: numberOf(minutes[`goals.${priority}.respond_minutes`]),
    resolve_minutes: numberOf(minutes[`goals.${priority}.resolve_minutes`]),
  })
  const goals = { low: goalOf('low'), normal: goalOf('normal'), high: goalOf('high'), urgent: goalOf('urgent') }
  return { version, goals, reopen_days: numberOf(days), unknown_mail }
}
