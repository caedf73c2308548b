import { useProfile } from '../../sign-in/web/use-profile.ts'
import { EntryForm } from '#src/features/content/web/entry-form.tsx'
import { callApi } from '#src/ui/api.ts'
import { TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { useBack } from '#src/ui/page/use-back.ts'
import { SwitchField } from '#src/ui/forms/switch-field.tsx'
import { useEntryForm } from '#src/ui/forms/use-entry-form.ts'
import { useFieldProps } from '#src/ui/forms/use-field-props.ts'
import type { Group } from '../contract.ts'
import { groupTexts } from '../texts.ts'
import type { Rights } from '#src/lib/rights.ts'
import { hasRight } from '#src/lib/rights.ts'
import { RightsMatrix } from './rights-matrix.tsx'
import { RightsWords } from './rights-words.tsx'

type Values = { name: string; enabled: boolean; requires_totp: boolean; rights: Rights; version?: number }

const path = '/api/groups/groups'

/** Name, state, two-factor, and the matrix of areas by level with its meaning in words. */
export function GroupForm({ group }: { group?: Group }) {
  const t = useTexts(groupTexts)
  const { rights: own } = useProfile()
  const goBack = useBack('/admin/groups')
  const form = useEntryForm<Values, Group>({
    draftKey: `groups/${group?.id_group ?? 'new'}`,
    initial: group ? valuesOf(group) : { name: '', enabled: true, requires_totp: false, rights: {} },
    readCurrent: (current) => valuesOf(current as Group),
    save: (values) => (group ? callApi('PUT', `${path}/${group.id_group}`, values) : callApi('POST', path, values)),
    onSaved: goBack,
    notice: group ? 'saved' : 'created',
    required: ['name'],
  })
  const { values, change } = form
  const { textOf } = useFieldProps(form, { taken: t('taken') })
  const mayChangeRights = hasRight(own, 'groups', 'administrator')

  return (
    <EntryForm
      title={group ? t('editTitle', { name: group.name }) : t('createTitle')}
      subtitle={group && t('peopleCount', { count: group.user_count })}
      home="/admin/groups"
      form={form}
      fields={[{ key: 'name', label: t('name') }]}
    >
      <div className="grid gap-8 xl:grid-cols-[minmax(0,2fr)_minmax(16rem,1fr)]">
        <div className="grid content-start gap-6">
          <TextField label={t('name')} {...textOf('name')} maxLength={200} />
          <SwitchField
            label={t('enabled')}
            hint={t('enabledHint')}
            disabled={!mayChangeRights}
            checked={values.enabled}
            onChange={(enabled) => change({ enabled })}
          />
          <SwitchField
            label={t('requiresTotp')}
            hint={t('requiresTotpHint')}
            disabled={!mayChangeRights}
            checked={values.requires_totp}
            onChange={(requires_totp) => change({ requires_totp })}
          />
          <RightsMatrix rights={values.rights} own={own} locked={!mayChangeRights} onChange={(rights) => change({ rights })} />
        </div>
        <RightsWords rights={values.rights} enabled={values.enabled} requiresTotp={values.requires_totp} />
      </div>
    </EntryForm>
  )
}

function valuesOf({ name, enabled, requires_totp, rights, version }: Group): Values {
  return { name, enabled, requires_totp, rights, version }
}
