import { EntryForm } from '#src/features/content/web/entry-form.tsx'
import { callApi, getJson } from '#src/ui/api.ts'
import { TextArea, TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { useBack } from '#src/ui/page/use-back.ts'
import { SwitchField } from '#src/ui/forms/switch-field.tsx'
import { useEntryForm, useFieldProps } from '#src/ui/forms/use-entry-form.ts'
import { tooEarly } from '../contract.ts'
import type { Incident, IncidentInput } from '../contract.ts'
import { privacyTexts } from '../texts.ts'
import type { Route } from './+types/incident-page.ts'

type Values = Omit<Incident, 'id_incident' | 'version'> & { version?: number }

const path = '/api/privacy/incidents'
const empty: Values = {
  information: '',
  circumstances: '',
  happened: '',
  happened_on: null,
  discovered_on: '',
  people_count: null,
  risk_assessment: '',
  serious_risk: false,
  commission_told_on: null,
  people_told_on: null,
  measures: '',
}

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const { id_incident: id } = params
  return { incident: id === undefined ? undefined : await getJson<Incident>(`${path}/${encodeURIComponent(id)}`) }
}

/** `/admin/incident_nouveau` and `/admin/incident_edit/:id_incident`. */
export default function IncidentPage({ loaderData: { incident } }: Route.ComponentProps) {
  return <IncidentForm key={incident?.id_incident ?? 'new'} incident={incident} />
}

/** One incident, with the fields that the regulation on confidentiality incidents requires. */
function IncidentForm({ incident }: { incident: Incident | undefined }) {
  const t = useTexts(privacyTexts)
  const goBack = useBack('/admin/incidents')
  const form = useEntryForm<Values, Incident>({
    draftKey: `incidents/${incident?.id_incident ?? 'new'}`,
    initial: incident ? valuesOf(incident) : empty,
    readCurrent: (current) => valuesOf(current as Incident),
    save: (values: IncidentInput) =>
      incident ? callApi('PUT', `${path}/${incident.id_incident}`, values) : callApi('POST', path, values),
    onSaved: goBack,
    savedAs: (saved) => ({
      name: t('editTitle', { number: saved.id_incident }),
      path: `/admin/incident_edit/${saved.id_incident}`,
    }),
    notice: incident ? 'saved' : 'created',
    required: ['information', 'circumstances', 'happened', 'discovered_on', 'risk_assessment', 'measures'],
  })
  const { values, change } = form
  const { errorOf, textOf, dayOf } = useFieldProps(form, {
    [tooEarly]: t('tooEarly'),
    'still to come': t('stillToCome'),
  })

  return (
    <EntryForm
      title={incident ? t('editTitle', { number: incident.id_incident }) : t('createTitle')}
      subtitle={t('incidentsTitle')}
      home="/admin/incidents"
      form={form}
      fields={[
        { key: 'information', label: t('information') },
        { key: 'circumstances', label: t('circumstances') },
        { key: 'risk_assessment', label: t('riskAssessment') },
        { key: 'measures', label: t('measures') },
      ]}
    >
      <div className="grid max-w-4xl gap-6 md:grid-cols-2">
        <TextField label={t('discoveredOn')} {...textOf('discovered_on')} type="date" />
        <TextField label={t('happened')} maxLength={200} {...textOf('happened')} />
        <TextField label={t('happenedOn')} optional {...dayOf('happened_on')} />
        <TextArea label={t('information')} hint={t('informationHint')} maxLength={10_000} {...textOf('information')} />
        <TextArea label={t('circumstances')} maxLength={10_000} {...textOf('circumstances')} />
        <TextField
          label={t('peopleCount')}
          optional
          name="people_count"
          inputMode="numeric"
          value={values.people_count ?? ''}
          error={errorOf('people_count')}
          onChange={(event) => change({ people_count: readCount(event.target.value) })}
        />
        <div className="self-end">
          <SwitchField
            label={t('seriousRisk')}
            hint={t('seriousHint')}
            checked={values.serious_risk}
            onChange={(serious_risk) => change({ serious_risk })}
          />
        </div>
        <TextArea label={t('riskAssessment')} hint={t('riskHint')} maxLength={10_000} {...textOf('risk_assessment')} />
        <TextArea label={t('measures')} maxLength={10_000} {...textOf('measures')} />
        <TextField label={t('commissionNotifiedOn')} optional {...dayOf('commission_told_on')} />
        <TextField label={t('peopleNotifiedOn')} optional {...dayOf('people_told_on')} />
      </div>
    </EntryForm>
  )
}

function readCount(text: string) {
  const digits = text.replaceAll(/\D/g, '').slice(0, 8)
  return digits === '' ? null : Number(digits)
}

function valuesOf({ id_incident: _id, ...values }: Incident): Values {
  return values
}
