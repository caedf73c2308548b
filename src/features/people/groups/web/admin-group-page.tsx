import './groups.css'
import { useState } from 'react'
import { EntryForm } from '#src/features/content/web/entry-form.tsx'
import { useFeatures } from '#src/features/content/web/admin-context.ts'
import type { Feature, GroupPreset } from '#src/lib/feature.ts'
import { areaLabel, areasOf, groupPresets, rightsOfPreset } from '#src/lib/feature.ts'
import type { Language } from '#src/lib/language/language.ts'
import { locales } from '#src/lib/language/language.ts'
import { isSame } from '#src/lib/merge.ts'
import type { Level, Rights } from '#src/lib/rights.ts'
import { completeRights, coversRights, hasRight, levels } from '#src/lib/rights.ts'
import { getJson, callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Disclosure } from '#src/ui/components/card.tsx'
import { TextField } from '#src/ui/forms/field.tsx'
import { SwitchField } from '#src/ui/forms/switch-field.tsx'
import { useEntryForm, useFieldProps } from '#src/ui/forms/use-entry-form.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { useBack } from '#src/ui/page/use-back.ts'
import type { Group } from '../../contract.ts'
import { useProfile } from '../../sign-in/web/session.ts'
import { groupTexts } from '../texts.ts'
import type { Route } from './+types/admin-group-page.ts'

export async function clientLoader({ params: { id_group: id } }: Route.ClientLoaderArgs) {
  return { group: id === undefined ? undefined : await getJson<Group>(`/api/groups/groups/${encodeURIComponent(id)}`) }
}

/** A new or existing group. */
export default function AdminGroupPage({ loaderData: { group } }: Route.ComponentProps) {
  return <GroupForm key={group?.id_group} group={group} />
}

type Values = { name: string; enabled: boolean; requires_totp: boolean; rights: Rights; version?: number }

const path = '/api/groups/groups'

/** Name, state, two-factor, and the matrix of areas by level, with a summary in plain text. */
function GroupForm({ group }: { group?: Group }) {
  const t = useTexts(groupTexts)
  const { rights: own } = useProfile()
  const goBack = useBack('/admin/groups')
  const form = useEntryForm<Values, Group>({
    draftKey: `groups/${group?.id_group ?? 'new'}`,
    initial: group ? valuesOf(group) : { name: '', enabled: true, requires_totp: false, rights: {} },
    readCurrent: (current) => valuesOf(current as Group),
    save: (values) => (group ? callApi('PUT', `${path}/${group.id_group}`, values) : callApi('POST', path, values)),
    onSaved: goBack,
    savedAs: (saved) => ({ name: saved.name, path: `/admin/group_edit/${saved.id_group}` }),
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
          {mayChangeRights && (
            <Presets
              rights={values.rights}
              own={own}
              onChoose={(rights, name) => change({ rights, ...(isPresetName(values.name) ? { name } : {}) })}
            />
          )}
          <RightsMatrix rights={values.rights} own={own} locked={!mayChangeRights} onChange={(rights) => change({ rights })} />
        </div>
        <RightsSummary rights={values.rights} enabled={values.enabled} requiresTotp={values.requires_totp} />
      </div>
    </EntryForm>
  )
}

function valuesOf({ name, enabled, requires_totp, rights, version }: Group): Values {
  return { name, enabled, requires_totp, rights, version }
}

/** A name that nobody has written: none, or that of a preset chosen before. */
export function isPresetName(name: string) {
  const typed = name.trim()
  return typed === '' || groupPresets.some((preset) => Object.values(groupTexts).some((texts) => texts[preset] === typed))
}

type PresetsProps = { rights: Rights; own: Rights; onChoose: (rights: Rights, name: string) => void }

/** Kinds of work to start from, each with what it gives. */
function Presets({ rights, own, onChoose }: PresetsProps) {
  const t = useTexts(groupTexts)
  const language = useLanguage()
  const features = useFeatures()
  const areas = areasOf(features)
  const [chosen, setChosen] = useState<GroupPreset | null>(null)
  return (
    <section aria-labelledby="presets">
      <h2 id="presets" className="text-xl font-extrabold">
        {t('presets')}
      </h2>
      <p className="mb-3 text-ink-2">{t('presetsHint')}</p>
      <ul className="grid gap-4 lg:grid-cols-3">
        {groupPresets.map((preset) => {
          const given = completeRights(areas, rightsOfPreset(features, preset))
          const isChosen = isSame(completeRights(areas, rights), given)
          const mayGive = coversRights(own, given)
          return (
            <li key={preset} className="card flex flex-col gap-3 p-5">
              <h3 className="text-lg">{t(preset)}</h3>
              <p>{t(`${preset}Hint`)}</p>
              <ul className="grid gap-2 text-sm text-ink-2">
                {describeRights(features, given, language).map(({ level, areas: names }) => (
                  <li key={level}>
                    <strong className="text-ink">{t(level)}</strong> <span>{names}</span>
                  </li>
                ))}
              </ul>
              {mayGive ? (
                <Button
                  variant="secondary"
                  size="small"
                  className="mt-auto self-start"
                  aria-pressed={isChosen}
                  onClick={() => {
                    onChoose(given, t(preset))
                    setChosen(preset)
                  }}
                >
                  {t('choosePreset', { preset: t(preset) })}
                </Button>
              ) : (
                <p className="mt-auto text-sm">{t('presetTooMuch')}</p>
              )}
            </li>
          )
        })}
      </ul>
      <p role="status" className="mt-2 font-bold empty:hidden">
        {chosen && t('presetChosen', { preset: t(chosen) })}
      </p>
      <Disclosure title={t('levels')}>
        <dl className="grid gap-2">
          {levels.map((level) => (
            <div key={level}>
              <dt className="font-bold">{t(level)}</dt>
              <dd>{t(`${level}Means`)}</dd>
            </div>
          ))}
        </dl>
      </Disclosure>
    </section>
  )
}

/** The areas of each level that is given, highest first. */
function describeRights(features: readonly Feature[], rights: Rights, language: Language) {
  const list = new Intl.ListFormat(locales[language])
  const withLevel = (level: Level) =>
    areasOf(features)
      .filter((area) => rights[area] === level)
      .map((area) => areaLabel(features, area)[language])
  return (['administrator', 'read_write', 'read_only'] as const)
    .map((level) => ({ level, names: withLevel(level) }))
    .filter(({ names }) => names.length > 0)
    .map(({ level, names }) => ({ level, areas: list.format(names) }))
}

type RightsMatrixProps = { rights: Rights; own: Rights; locked: boolean; onChange: (rights: Rights) => void }

/** One radio group per area: arrow keys choose the level, Tab moves to the next area. */
function RightsMatrix({ rights, own, locked, onChange }: RightsMatrixProps) {
  const t = useTexts(groupTexts)
  const language = useLanguage()
  const features = useFeatures()
  return (
    <fieldset className="min-w-0" disabled={locked}>
      <legend className="mb-3 text-xl font-extrabold">{t('rights')}</legend>
      <div className="card rights">
        <div className="rights-row rights-head" aria-hidden="true">
          <span>{t('area')}</span>
          {levels.map((level) => (
            <span key={level}>{t(level)}</span>
          ))}
        </div>
        {areasOf(features)
          .map((area) => [area, areaLabel(features, area)[language]] as const)
          .map(([area, name]) => (
            <div key={area} className="rights-row" role="radiogroup" aria-label={name}>
              <span className="font-bold">{name}</span>
              {levels.map((level) => (
                <label key={level} className="rights-choice">
                  <input
                    type="radio"
                    name={`rights-${area}`}
                    className="size-5 accent-brand"
                    aria-label={t('right', { area: name, level: t(level) })}
                    checked={(rights[area] ?? 'none') === level}
                    // Users cannot grant rights that they do not hold.
                    disabled={!hasRight(own, area, level)}
                    onChange={() => onChange({ ...rights, [area]: level })}
                  />
                  <span className="rights-word" aria-hidden="true">
                    {t(level)}
                  </span>
                </label>
              ))}
            </div>
          ))}
      </div>
    </fieldset>
  )
}

const sentences = { administrator: 'administers', read_write: 'writes', read_only: 'sees' } as const

type RightsSummaryProps = { rights: Rights; enabled: boolean; requiresTotp: boolean }

/** Plain-text summary of the chosen rights. */
function RightsSummary({ rights, enabled, requiresTotp }: RightsSummaryProps) {
  const t = useTexts(groupTexts)
  const language = useLanguage()
  const features = useFeatures()
  const byLevel = describeRights(features, rights, language)
  return (
    <section className="card content-start self-start p-6" aria-live="polite">
      <h2 className="mb-3 text-xl">{t('canDo')}</h2>
      {!enabled && <p className="mb-3 font-bold text-warn">{t('canNothingDisabled')}</p>}
      {byLevel.length === 0 ? (
        <p className="text-ink-2">{t('canNothing')}</p>
      ) : (
        <ul className="grid gap-3">
          {byLevel.map(({ level, areas }) => (
            <li key={level}>{t(sentences[level], { areas })}</li>
          ))}
        </ul>
      )}
      {requiresTotp && <p className="mt-3 text-ink-2">{t('canAfterTotp')}</p>}
    </section>
  )
}
