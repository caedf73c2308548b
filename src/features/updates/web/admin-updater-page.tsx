import { useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import { useRight } from '#src/features/content/web/admin-context.ts'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { pickVariant, locales } from '#src/lib/language/language.ts'
import { hasRight } from '#src/lib/rights.ts'
import { callApi, getJson, ApiError } from '#src/ui/api.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Moment } from '#src/ui/components/moment.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { ElementReference, PastUpdate, UpdateAlert } from '../contract.ts'
import { updaterTexts } from '../texts.ts'
import type { Route } from './+types/admin-updater-page.ts'
import { useUpdateAlert } from './update-alert.tsx'
import type { NamedNetwork } from './window-elements.tsx'
import { nameElements, WindowElements } from './window-elements.tsx'
import { company } from '#company/company.ts'
import { buttonTexts } from '#src/features/content/texts.ts'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { EnglishBadge, englishStateOf, FrenchBadge } from '#src/features/content/web/use-bilingual.tsx'
import { EntryFormBody } from '#src/features/content/web/entry-form.tsx'
import { LeaveGuard } from '#src/features/content/web/leave-guard.tsx'
import { localTime, parseLocalTime } from '#src/lib/time/zoned-time.ts'
import { Button } from '#src/ui/components/button.tsx'
import { ConfirmDialog } from '#src/ui/components/dialog.tsx'
import { Lamp } from '#src/ui/components/lamp.tsx'
import { TextArea, TextField } from '#src/ui/forms/field.tsx'
import { SwitchField } from '#src/ui/forms/switch-field.tsx'
import { useEntryForm, useFieldProps } from '#src/ui/forms/use-entry-form.ts'
import { defaultDuration, messageMax } from '../values.ts'

export async function clientLoader() {
  const [history, networks] = await Promise.all([
    getJson<PastUpdate[]>('/api/updates/history'),
    getJson<NamedNetwork[]>('/api/networks/reseau'),
  ])
  return { history, networks }
}

/** Parameters / Updater: announces or removes the next update. */
export default function AdminUpdaterPage({ loaderData }: Route.ComponentProps) {
  useRight(['updates'], 'read_only')
  const t = useTexts(updaterTexts)
  const { rights } = useProfile()
  const { alert, setAlert } = useUpdateAlert()
  const { revalidate } = useRevalidator()
  const form = useUpdaterForm(alert, setAlert)
  const { run, toast } = useAction()
  const shown = alert && `${alert.id_update}/${alert.version}`
  useEffect(() => {
    void revalidate()
  }, [shown, revalidate])

  const handleRemove = async () => {
    await callApi('DELETE', alertPath)
    setAlert(null)
  }

  return (
    <>
      <UpdaterEditor
        form={form}
        networks={loaderData.networks}
        isSet={alert !== null}
        canWrite={hasRight(rights, 'updates', 'read_write')}
        onRemove={() => void run(handleRemove, { done: t('removed') })}
      />
      <UpdateHistory updates={loaderData.history} />
      <Toast {...toast} />
    </>
  )
}

const tones = { planned: 'brand', running: 'warn', done: 'ok', cancelled: 'neutral' } as const

/** The announcements so far, newest first. */
function UpdateHistory({ updates }: { updates: readonly PastUpdate[] }) {
  const t = useTexts(updaterTexts)
  const language = useLanguage()
  return (
    <section className="mt-12" aria-labelledby="updates-history">
      <h2 id="updates-history" className="mb-4 text-2xl">
        {t('history')}
      </h2>
      {updates.length === 0 ? (
        <p className="text-ink-2">{t('historyEmpty')}</p>
      ) : (
        <Table
          caption={t('history')}
          rows={updates}
          rowKey={(update) => update.id_update}
          columns={[
            {
              header: t('date'),
              isRowHeader: true,
              cell: ({ next_update }) => <Moment at={next_update} timeZone={company.hours.timeZone} />,
            },
            { header: t('duration'), cell: ({ duration_minutes }) => t('minutes', { count: duration_minutes }) },
            { header: t('state'), cell: ({ state }) => <Badge tone={tones[state]}>{t(state)}</Badge> },
            { header: t('visitors'), cell: (update) => t(update.public ? 'yes' : 'no') },
            {
              header: t('message'),
              isText: true,
              cell: ({ message, message_en }) => {
                const { text, lang } = pickVariant(language, message, message_en)
                return <span lang={lang}>{text}</span>
              },
            },
          ]}
        />
      )}
    </section>
  )
}

type UpdaterEditorProps = {
  form: ReturnType<typeof useUpdaterForm>
  networks: NamedNetwork[]
  /** True where there is an alert to change or remove. */
  isSet: boolean
  canWrite: boolean
  onRemove: () => void
}

function UpdaterEditor({ form, networks, isSet, canWrite, onRemove }: UpdaterEditorProps) {
  const t = useTexts(updaterTexts)
  const language = useLanguage()
  const a = useTexts(buttonTexts)
  const [isAsking, setAsking] = useState(false)
  const showYes = (on: boolean) => (on ? t('yes') : t('no'))

  return (
    <>
      <EntryFormBody<UpdaterValues>
        form={form}
        fields={[
          { key: 'next_update', label: t('nextUpdate') },
          { key: 'duration_minutes', label: t('duration') },
          { key: 'message', label: t('message') },
          { key: 'message_en', label: t('messageEn') },
          { key: 'public', label: t('public'), show: showYes },
          { key: 'elements', label: t('elements'), read: ({ elements }) => nameElements(elements, networks, language) },
        ]}
        head={
          <AdminHead
            title={t('title')}
            subtitle={t('section')}
            sticky
            actions={
              canWrite && (
                <>
                  {isSet && (
                    <Button variant="danger" onClick={() => setAsking(true)}>
                      {t('remove')}
                    </Button>
                  )}
                  <Button type="submit" busy={form.saving}>
                    {a('save')}
                  </Button>
                </>
              )
            }
          />
        }
      >
        <div className="grid max-w-5xl gap-6">
          <div className="grid gap-2">
            <Lamp on={isSet} className="text-sm font-bold text-ink-2">
              {t(isSet ? 'set' : 'none')}
            </Lamp>
            <p className="max-w-prose text-ink-2">{canWrite ? t('hint') : t('readOnly')}</p>
          </div>
          <UpdaterFields form={form} networks={networks} disabled={!canWrite} />
        </div>
      </EntryFormBody>
      <LeaveGuard when={form.isDirty && !form.saving && form.failure !== 'signedOut'} />
      <ConfirmDialog
        open={isAsking}
        title={t('confirmTitle')}
        consequence={t('confirmConsequence')}
        confirmLabel={t('remove')}
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false)
          onRemove()
        }}
      />
    </>
  )
}

type UpdaterFieldsProps = { form: ReturnType<typeof useUpdaterForm>; networks: NamedNetwork[]; disabled: boolean }

/** Start, duration, message and audience of the update. */
function UpdaterFields({ form, networks, disabled }: UpdaterFieldsProps) {
  const t = useTexts(updaterTexts)
  const { values, change } = form
  const { textOf } = useFieldProps(form, {
    'no such time': t('noSuchTime'),
    'in the past': t('past'),
    'too far ahead': t('farAhead'),
    duration: t('wrongDuration'),
  })
  const english = englishStateOf({ french: values.message, english: values.message_en }, null, undefined, false)

  return (
    <>
      <div className="grid gap-6 sm:grid-cols-2">
        <TextField
          type="datetime-local"
          label={t('nextUpdate')}
          hint={t('nextUpdateHint', { zone: company.hours.timeZone })}
          {...textOf('next_update')}
          disabled={disabled}
        />
        <TextField
          label={t('duration')}
          hint={t('durationHint')}
          inputMode="numeric"
          {...textOf('duration_minutes')}
          disabled={disabled}
        />
      </div>
      <div className="grid gap-6 lg:grid-cols-2">
        <TextArea
          label={t('message')}
          hint={t('messageHint')}
          badge={<FrenchBadge />}
          optional
          lang={locales.fr}
          rows={4}
          maxLength={messageMax}
          {...textOf('message')}
          disabled={disabled}
        />
        <TextArea
          label={t('messageEn')}
          badge={<EnglishBadge state={english} />}
          optional
          lang={locales.en}
          rows={4}
          maxLength={messageMax}
          {...textOf('message_en')}
          disabled={disabled}
        />
      </div>
      <SwitchField
        label={t('public')}
        hint={t('publicHint')}
        checked={values.public}
        disabled={disabled}
        onChange={(isPublic) => change({ public: isPublic })}
      />
      {values.public && (
        <WindowElements
          networks={networks}
          elements={values.elements}
          disabled={disabled}
          onChange={(elements) => change({ elements })}
        />
      )}
    </>
  )
}

const alertPath = '/api/updates/alert'

/** Form values: the time in the company's time zone. */
type UpdaterValues = {
  next_update: string
  duration_minutes: string
  message: string
  message_en: string
  public: boolean
  elements: ElementReference[]
  version?: number
}

/** Form of the alert; saving stays on the page, whose banner updates at once. */
function useUpdaterForm(alert: UpdateAlert | null, onSaved: (saved: UpdateAlert) => void) {
  const form = useEntryForm<UpdaterValues, UpdateAlert>({
    draftKey: 'updates/alert',
    initial: valuesOf(alert),
    readCurrent: (current) => valuesOf(current as UpdateAlert),
    required: ['next_update', 'duration_minutes'],
    save: (values) => callApi('PUT', alertPath, inputOf(values)),
    onSaved: (saved) => {
      form.restart(valuesOf(saved))
      onSaved(saved)
    },
  })
  const { isDirty, restart, stored } = form
  const latest = valuesOf(alert)
  const isBehind = !isDirty && (stored.version !== latest.version || stored.next_update !== latest.next_update)
  useEffect(() => {
    // A colleague changed it and the user has no unsaved changes.
    if (isBehind) restart(latest)
  })
  return form
}

function valuesOf(alert: UpdateAlert | null): UpdaterValues {
  return {
    next_update: alert ? localTime(company.hours.timeZone, new Date(alert.next_update)) : '',
    duration_minutes: String(alert?.duration_minutes ?? defaultDuration),
    message: alert?.message ?? '',
    message_en: alert?.message_en ?? '',
    public: alert?.public ?? false,
    elements: alert?.elements ?? [],
    version: alert?.version,
  }
}

function inputOf({ next_update: local, duration_minutes: duration, ...rest }: UpdaterValues) {
  const instant = parseLocalTime(company.hours.timeZone, local)
  if (!instant) throw new ApiError(400, { errors: [{ path: 'next_update', message: 'no such time' }] })
  return { ...rest, next_update: instant.toISOString(), duration_minutes: Number(duration) }
}
