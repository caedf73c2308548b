import { useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import { useRight, useRights } from '#src/features/content/web/admin-context.ts'
import { PreviewPair } from '#src/features/content/web/preview.tsx'
import { pickText, locales } from '#src/lib/language/language.ts'
import { hasRight } from '#src/lib/rights.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { StatusIcon } from '#src/ui/components/status-icon.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { SelectField } from '#src/ui/forms/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { RichText } from '#src/ui/rich-text/rich-text.tsx'
import type { Incident, Network, StaffIncident } from '../contract.ts'
import { outageTemplates, outageTexts } from '../outage-texts.ts'
import { renderIncident, statusSymbols } from '../status-html.ts'
import type { IncidentPhase, NetworkStatus } from '../values.ts'
import { detailStatuses, elementName, incidentPhases, readDetails } from '../values.ts'
import type { Route } from './+types/admin-outage-page.ts'
import type { Api } from './outage-steps.tsx'
import {
  after,
  Bilingual,
  MailBox,
  MailPreview,
  minuteChoices,
  NextField,
  path,
  PhaseField,
  UpdateForm,
  useAudience,
} from './outage-steps.tsx'
import './networks.css'

type Values = Pick<Incident, 'title' | 'title_en' | 'severity' | 'elements' | 'meanwhile' | 'meanwhile_en'> & {
  phase: IncidentPhase
  text: string
  text_en: string
  minutes: number
}

const listPath = '/admin/reseau/pannes'
const statusTexts = { OK: 'ok', WARNING: 'warning', ERROR: 'error' } as const
const emptyValues: Values = {
  title: '',
  title_en: '',
  severity: 'WARNING',
  elements: [],
  meanwhile: '',
  meanwhile_en: '',
  phase: 'investigating',
  text: '',
  text_en: '',
  minutes: 30,
}

export async function clientLoader({ params: { id_incident: id } }: Route.ClientLoaderArgs) {
  const [networks, incident] = await Promise.all([
    getJson<Network[]>('/api/networks/reseau'),
    id ? getJson<StaffIncident>(`${path}/${encodeURIComponent(id)}`) : null,
  ])
  return { networks, incident }
}

/** Declares an outage, or follows one that is published. */
export default function AdminOutagePage({ loaderData: { networks, incident } }: Route.ComponentProps) {
  useRight(['networks'], 'read_only')
  const canWrite = hasRight(useRights(), 'networks', 'read_write')
  const t = useTexts(outageTexts)
  const language = useLanguage()
  const api = useAction()
  const title = incident ? pickText(language, incident.title, incident.title_en) || t('draft') : t('declare')
  return (
    <>
      <AdminHead title={title} subtitle={t('listTitle')} backTo={listPath} />
      {!incident || incident.draft ? (
        canWrite && <OutageForm key={incident?.version} networks={networks} incident={incident} api={api} />
      ) : (
        <>
          <RichText html={renderIncident(incident, networks, language, { isPage: true })} className="" />
          {canWrite && !incident.resolved_at && (
            <UpdateForm key={incident.version} networks={networks} incident={incident} api={api} />
          )}
        </>
      )}
      <Toast {...api.toast} />
    </>
  )
}

function OutageForm({ networks, incident, api }: { networks: Network[]; incident: StaffIncident | null; api: Api }) {
  const t = useTexts(outageTexts)
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const [values, setValues] = useState<Values>(incident ? valuesOf(incident) : emptyValues)
  const [before, setBefore] = useState<Partial<Values> | null>(incident && values)
  const [places, setPlaces] = useState({ banner: false, note: false, mails: true })
  const readers = useAudience(values.elements)
  const hasEnglish = values.title_en.trim() !== '' && values.text_en.trim() !== ''
  const mails = places.mails && hasEnglish
  const change = (changes: Partial<Values>) => setValues((current) => ({ ...current, ...changes }))
  const isComplete = values.elements.length > 0 && values.title.trim() !== '' && values.text.trim() !== ''
  const save = async () => {
    const { minutes, ...fields } = values
    const input = { ...fields, next_update_at: after(minutes) }
    if (incident) return callApi<StaffIncident>('PUT', `${path}/${incident.id_incident}`, { ...input, version: incident.version })
    return callApi<StaffIncident>('POST', path, { ...input, draft: true })
  }
  const show = async ({ id_incident }: StaffIncident) => {
    await navigate(`${listPath}/${id_incident}`, { replace: true })
    await revalidate()
  }
  const handleDraft = async () => show(await save())
  const handlePublish = async () => {
    const { id_incident } = await save()
    await show(await callApi<StaffIncident>('POST', `${path}/${id_incident}/publish`, { ...places, mails }))
  }
  const handleRemove = async () => {
    await callApi('DELETE', `${path}/${incident?.id_incident}`)
    await navigate(listPath)
  }
  return (
    <div className="grid gap-8">
      <div className="grid content-start gap-8">
        <Touched networks={networks} values={values} onChange={change} />
        <section className="grid gap-4" aria-label={t('where')}>
          <h2 className="text-xl">{t('where')}</h2>
          <div className="grid gap-4 md:grid-cols-2">
            <PhaseField phases={incidentPhases.slice(0, 3)} value={values.phase} onChange={(phase) => change({ phase })} />
            <NextField value={values.minutes} onChange={(minutes) => change({ minutes })} />
          </div>
        </section>
        <section className="grid gap-4" aria-label={t('say')}>
          <h2 className="text-xl">{t('say')}</h2>
          <SelectField
            label={t('template')}
            optional
            value=""
            onChange={(event) => {
              const template = outageTemplates[Number(event.target.value)]
              setBefore({ ...before, ...template })
              change({ ...template })
            }}
          >
            <option value="">{t('noTemplate')}</option>
            {outageTemplates.map((template, index) => (
              <option key={template.title} value={index}>
                {template.title}
              </option>
            ))}
          </SelectField>
          <Bilingual
            names={['title', 'title_en']}
            labels={[t('titleFr'), t('titleEn')]}
            values={values}
            before={before}
            onChange={change}
          />
          <Bilingual
            names={['text', 'text_en']}
            labels={[t('textFr'), t('textEn')]}
            values={values}
            before={before}
            onChange={change}
            isLong
          />
          <Bilingual
            names={['meanwhile', 'meanwhile_en']}
            labels={[t('meanwhileFr'), t('meanwhileEn')]}
            values={values}
            before={before}
            onChange={change}
            isLong
          />
        </section>
        <fieldset className="grid gap-2">
          <legend className="mb-2 text-xl font-bold">{t('places')}</legend>
          <p>{t('page')}</p>
          {(['banner', 'note'] as const).map((place) => (
            <label key={place} className="flex items-center gap-3">
              <input
                type="checkbox"
                checked={places[place]}
                onChange={(event) => setPlaces({ ...places, [place]: event.target.checked })}
              />
              <span>{t(place)}</span>
            </label>
          ))}
          <MailBox
            readers={readers}
            isChecked={mails}
            isComplete={hasEnglish}
            onChange={(isChecked) => setPlaces({ ...places, mails: isChecked })}
          />
        </fieldset>
      </div>
      <section className="grid content-start gap-4" aria-label={t('preview')}>
        <h2 className="text-xl">{t('preview')}</h2>
        <PreviewPair>
          {(shown) => (
            <div lang={locales[shown]}>
              <RichText html={statusSymbols + renderIncident(previewOf(values), networks, shown)} className="" />
              {mails && <MailPreview incident={previewOf(values)} networks={networks} language={shown} />}
            </div>
          )}
        </PreviewPair>
      </section>
      <div className="flex flex-wrap items-center gap-3">
        <p className="text-ink-2">{isComplete ? t('undoable') : t('missing')}</p>
        <Button
          variant="secondary"
          disabled={api.busy || values.elements.length === 0}
          onClick={() => void api.run(handleDraft, { done: t('savedDraft') })}
        >
          {t('saveDraft')}
        </Button>
        <Button disabled={api.busy || !isComplete} onClick={() => void api.run(handlePublish, {})}>
          {t('publish')}
        </Button>
        {incident && (
          <Button variant="danger" disabled={api.busy} onClick={() => void api.run(handleRemove, {})}>
            {t('remove')}
          </Button>
        )}
      </div>
    </div>
  )
}

function valuesOf(incident: StaffIncident): Values {
  const { title, title_en, severity, elements, meanwhile, meanwhile_en, phase, updates, next_update_at: next } = incident
  const first = updates[0]
  const minutes = next ? (minuteChoices.find((one) => one > 0 && Date.parse(next) - Date.now() <= one * 60_000) ?? 0) : 0
  const texts = { text: first?.text ?? '', text_en: first?.text_en ?? '' }
  return { title, title_en, severity, elements, meanwhile, meanwhile_en, phase, minutes, ...texts }
}

function previewOf({ minutes, text, text_en, ...fields }: Values): Incident {
  const at = new Date().toISOString()
  const update = { id_update: 1, phase: fields.phase, text, text_en, at }
  const rest = { id_incident: 0, number: '', started_at: at, resolved_at: null, updates: [update], source: 'staff' as const }
  return { ...fields, ...rest, draft: true, next_update_at: after(minutes), version: 1 }
}

type TouchedProps = { networks: Network[]; values: Values; onChange: (changes: Partial<Values>) => void }

/** The three icons of each component: one press selects the component and the severity. */
function Touched({ networks, values: { elements, severity }, onChange }: TouchedProps) {
  const t = useTexts(outageTexts)
  const language = useLanguage()
  const choose = (id_reseau: number, nom: string, status: NetworkStatus) => {
    const others = elements.filter((one) => one.id_reseau !== id_reseau || one.nom !== nom)
    if (status === 'OK') onChange({ elements: others })
    else onChange({ elements: [...others, { id_reseau, nom }], severity: status })
  }
  return (
    <section className="grid gap-4" aria-label={t('what')}>
      <h2 className="text-xl">{t('what')}</h2>
      <div className="grid gap-4 md:grid-cols-2">
        {networks.map((network) => {
          const of = network.nom || t('nameless')
          const named = readDetails(network.details).map((detail) => ({
            nom: elementName(detail),
            label: pickText(language, detail.nom, detail.nom_en),
          }))
          const rows = named.length > 0 ? named : [{ nom: '', label: of }]
          return (
            <fieldset key={network.id_reseau} className="card p-4">
              <legend className="font-bold">{of}</legend>
              {rows.map(({ nom, label }) => {
                const isTouched = elements.some((one) => one.id_reseau === network.id_reseau && one.nom === nom)
                const chosen = isTouched ? severity : 'OK'
                return (
                  <div key={nom} className="flex items-center justify-between gap-2" role="group" aria-label={label}>
                    <span>{label}</span>
                    <span className="flex">
                      {detailStatuses.map((status) => (
                        <button
                          key={status}
                          type="button"
                          className="button button-quiet button-icon"
                          aria-pressed={chosen === status}
                          aria-label={t('setStatus', { name: label, status: t(statusTexts[status]) })}
                          onClick={() => choose(network.id_reseau, nom, status)}
                        >
                          <StatusIcon status={status} muted={chosen !== status} />
                        </button>
                      ))}
                    </span>
                  </div>
                )
              })}
            </fieldset>
          )
        })}
      </div>
    </section>
  )
}
