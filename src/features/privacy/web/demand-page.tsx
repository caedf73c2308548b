import { EntryForm } from '#src/features/content/web/entry-form.tsx'
import { callApi, getJson } from '#src/ui/api.ts'
import { SelectField, TextArea, TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { useBack } from '#src/ui/page/use-back.ts'
import { useEntryForm, useFieldProps } from '#src/ui/forms/use-entry-form.ts'
import { tooEarly } from '../contract.ts'
import type { Demand, DemandInput } from '../contract.ts'
import { privacyTexts } from '../texts.ts'
import type { DemandKind } from '../values.ts'
import { demandKinds } from '../values.ts'
import type { Route } from './+types/demand-page.ts'

type Values = DemandInput

const path = '/api/privacy/demands'
const empty: Values = { kind: 'access', received_on: '', answered_on: null, outcome: '', note: '' }

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const { id_demand: id } = params
  return { demand: id === undefined ? undefined : await getJson<Demand>(`${path}/${encodeURIComponent(id)}`) }
}

/** `/admin/registre_nouveau` and `/admin/registre_edit/:id_demand`. */
export default function DemandPage({ loaderData: { demand } }: Route.ComponentProps) {
  return <DemandForm key={demand?.id_demand ?? 'new'} demand={demand} />
}

function DemandForm({ demand }: { demand: Demand | undefined }) {
  const t = useTexts(privacyTexts)
  const goBack = useBack('/admin/registre')
  const form = useEntryForm<Values, Demand>({
    draftKey: `demands/${demand?.id_demand ?? 'new'}`,
    initial: demand ? valuesOf(demand) : empty,
    readCurrent: (current) => valuesOf(current as Demand),
    save: (values: DemandInput) =>
      demand ? callApi('PUT', `${path}/${demand.id_demand}`, values) : callApi('POST', path, values),
    onSaved: goBack,
    savedAs: (saved) => ({
      name: t('demandEditTitle', { number: saved.id_demand }),
      path: `/admin/registre_edit/${saved.id_demand}`,
    }),
    notice: demand ? 'saved' : 'created',
    required: ['kind', 'received_on'],
  })
  const { errorOf, textOf, dayOf } = useFieldProps(form, { [tooEarly]: t('tooEarly'), 'still to come': t('stillToCome') })
  return (
    <EntryForm
      title={demand ? t('demandEditTitle', { number: demand.id_demand }) : t('demandCreateTitle')}
      subtitle={t('demandsTitle')}
      home="/admin/registre"
      form={form}
      fields={[
        { key: 'outcome', label: t('outcome') },
        { key: 'note', label: t('note') },
      ]}
    >
      <div className="grid max-w-4xl gap-6 md:grid-cols-2">
        <SelectField
          label={t('demandKind')}
          name="kind"
          value={form.values.kind}
          error={errorOf('kind')}
          onChange={(event) => form.change({ kind: event.target.value as DemandKind })}
        >
          {demandKinds.map((kind) => (
            <option key={kind} value={kind}>
              {t(kind)}
            </option>
          ))}
        </SelectField>
        <TextField label={t('receivedOn')} {...textOf('received_on')} type="date" />
        <TextArea label={t('note')} optional hint={t('noteHint')} maxLength={10_000} {...textOf('note')} />
        <TextArea label={t('outcome')} optional hint={t('outcomeHint')} maxLength={10_000} {...textOf('outcome')} />
        <TextField label={t('answeredOn')} optional {...dayOf('answered_on')} />
      </div>
    </EntryForm>
  )
}

function valuesOf({ id_demand: _id, due_on: _due, ...values }: Demand): Values {
  return values
}
