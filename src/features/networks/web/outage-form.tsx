import type { ReactNode } from 'react'
import { useRef, useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { AdminHead } from '#src/features/content/web/admin-head.tsx'
import type { EntryField } from '#src/features/content/web/conflict-dialog.tsx'
import { EntryFormBody } from '#src/features/content/web/entry-form.tsx'
import { LeaveGuard } from '#src/features/content/web/leave-guard.tsx'
import { PreviewButton } from '#src/features/content/web/preview.tsx'
import { pickText } from '#src/lib/language/language.ts'
import type { Translate } from '#src/lib/language/texts.ts'
import { callApi, makeClientId } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { hideSavedNotice } from '#src/ui/components/toast.tsx'
import { deleteEntryDraft } from '#src/ui/forms/entry-draft.ts'
import { useEntryForm } from '#src/ui/forms/use-entry-form.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { Incident, Network, StaffIncident } from '../contract.ts'
import { outageTemplates, outageTexts, statusKeys } from '../outage-texts.ts'
import type { IncidentPhase } from '../values.ts'
import { incidentPhases } from '../values.ts'
import { OpenOutages, Touched } from './outage-elements.tsx'
import { OutagePreview, Published } from './outage-preview.tsx'
import type { Api, CarriedTexts } from './outage-steps.tsx'
import { after, Bilingual, listPath, MailBox, minuteChoices, NextField, path, PhaseField, useAudience } from './outage-steps.tsx'
import './outages.css'

type Values = Pick<Incident, 'title' | 'title_en' | 'severity' | 'elements' | 'meanwhile' | 'meanwhile_en'> & {
  phase: IncidentPhase
  text: string
  text_en: string
  minutes: number
  english_reviewed?: string[]
  /** The draft, once it is stored. */
  id?: number | null
  version?: number
  /** A colleague published it meanwhile. */
  isPublished?: boolean
}
type Paired = 'title' | 'text' | 'meanwhile'

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

type OutageFormProps = {
  title: string
  networks: Network[]
  incident: StaffIncident | null
  /** The component that a new outage begins with. */
  named: Values['elements'][number] | null
  api: Api
  onCarry: (id: number, texts: CarriedTexts) => void
}

/** The draft of an outage: four questions, what will be published, and one button. */
export function OutageForm({ title, networks, incident, named, api, onCarry }: OutageFormProps) {
  const t = useTexts(outageTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const [before, setBefore] = useState<Partial<Values> | null>(null)
  const [places, setPlaces] = useState({ banner: false, note: false, mails: true })
  const [clientId] = useState(() => makeClientId())
  const publishes = useRef(false)
  const hasTried = useRef(false)
  const draftKey = `outages/${incident?.id_incident ?? (named ? `new ${named.id_reseau} ${named.nom}` : 'new')}`
  const form = useEntryForm<Values, StaffIncident>({
    draftKey,
    initial: incident ? valuesOf(incident) : named ? { ...emptyValues, severity: 'ERROR', elements: [named] } : emptyValues,
    readCurrent: (current) => valuesOf(current as StaffIncident),
    save: async (values): Promise<StaffIncident> => {
      const { id, version } = values
      const input = inputOf(values)
      const put = (to: number, base: number | undefined) =>
        callApi<StaffIncident>('PUT', `${path}/${to}`, { ...input, english_reviewed: values.english_reviewed, version: base })
      const create = async () => {
        const isAgain = hasTried.current
        hasTried.current = true
        const created = await callApi<StaffIncident>('POST', path, { ...input, draft: true, client_id: clientId })
        // An attempt whose answer was lost may have stored the draft as it was then.
        return isAgain ? put(created.id_incident, created.version) : created
      }
      const saved = await (id ? put(id, version) : create())
      // Should publishing fail, the next attempt changes this draft instead of creating another one.
      form.change({ id: saved.id_incident, version: saved.version })
      if (!publishes.current) return saved
      return callApi<StaffIncident>('POST', `${path}/${saved.id_incident}/publish`, {
        ...places,
        mails: places.mails && isEnglishComplete(values),
        version: saved.version,
      })
    },
    onSaved: ({ id_incident }) =>
      void (async () => {
        // The bar with the way back says what was published: nothing may cover it.
        if (publishes.current) hideSavedNotice()
        await navigate(`${listPath}/${id_incident}`, { replace: true })
        await revalidate()
      })(),
  })
  const { values, change } = form
  const readers = useAudience(values.elements)
  const hasEnglish = isEnglishComplete(values)
  const mails = places.mails && hasEnglish
  const shown = { ...places, mails }
  const count = 1 + Object.values(shown).filter(Boolean).length
  const isComplete = values.elements.length > 0 && values.title.trim() !== '' && values.text.trim() !== ''
  const submit = (isPublishing: boolean) => {
    publishes.current = isPublishing
    void form.submit()
  }
  const handleRemove = async () => {
    await callApi('DELETE', `${path}/${incident?.id_incident}`)
    form.dropDraft()
    await navigate(listPath)
  }
  const { theirs } = form
  const showPublished = () => {
    const { phase, text, text_en } = values
    if (!theirs?.id) return
    onCarry(theirs.id, { phase, text, text_en })
    form.loadSavedVersion()
    deleteEntryDraft(draftKey)
    void (async () => {
      await navigate(`${listPath}/${theirs.id}`, { replace: true })
      await revalidate()
    })()
  }
  const reviewed = values.english_reviewed ?? []
  const propsOf = <Name extends Paired>(french: Name) => ({
    names: [french, `${french}_en`] as [Name, `${Name}_en`],
    values,
    before: before ?? (incident && form.stored),
    olderSince: incident?.english_older[french],
    isReviewed: reviewed.includes(french),
    onReview: () => change({ english_reviewed: [...reviewed, french] }),
    onChange: change,
  })
  const preview = previewOf(values)
  return (
    <>
      <EntryFormBody
        form={form}
        fields={fieldsOf(t, networks)}
        conflict={
          theirs?.isPublished ? { title: t('conflictPublished'), keep: t('makeUpdate'), onKeep: showPublished } : undefined
        }
        head={
          <AdminHead
            title={title}
            subtitle={t('listTitle')}
            backTo={listPath}
            sticky
            actions={
              <>
                <div className="outage-preview-button">
                  <PreviewButton>
                    {(language) => <Published incident={preview} networks={networks} places={shown} language={language} />}
                  </PreviewButton>
                </div>
                <Button
                  variant="secondary"
                  busy={form.saving}
                  disabled={values.elements.length === 0}
                  onClick={() => submit(false)}
                >
                  {t('saveDraft')}
                </Button>
                <Button busy={form.saving} disabled={!isComplete} onClick={() => submit(true)}>
                  {t('publish', { count })}
                </Button>
              </>
            }
          />
        }
      >
        <div className="outage-form">
          <div className="min-w-0">
            <Step number={1} title={t('what')}>
              <OpenOutages elements={values.elements} except={incident?.id_incident} />
              <Touched networks={networks} values={values} onChange={change} />
            </Step>
            <Step number={2} title={t('where')}>
              <PhaseField phases={incidentPhases.slice(0, 3)} value={values.phase} onChange={(phase) => change({ phase })} />
              <NextField value={values.minutes} onChange={(minutes) => change({ minutes })} />
            </Step>
            <Step number={3} title={t('say')}>
              <div className="chips" role="group" aria-label={t('template')}>
                {outageTemplates.map((template) => (
                  <Button
                    key={template.title}
                    variant="secondary"
                    size="small"
                    aria-pressed={values.title === template.title}
                    onClick={() => {
                      setBefore({ ...(before ?? form.stored), ...template })
                      change({ ...template })
                    }}
                  >
                    {pickText(language, template.title, template.title_en)}
                  </Button>
                ))}
              </div>
              <Bilingual {...propsOf('title')} labels={[t('titleFr'), t('titleEn')]} />
              <Bilingual {...propsOf('text')} labels={[t('textFr'), t('textEn')]} isLong />
              <Bilingual {...propsOf('meanwhile')} labels={[t('meanwhileFr'), t('meanwhileEn')]} isLong isOptional />
            </Step>
            <Step number={4} title={t('places')}>
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
              <p className="text-ink-2">{isComplete ? t('undoable') : t('missing')}</p>
              {incident && (
                <div>
                  <Button variant="danger" disabled={api.busy} onClick={() => void api.run(handleRemove, {})}>
                    {t('remove')}
                  </Button>
                </div>
              )}
            </Step>
          </div>
          <div className="outage-beside">
            <OutagePreview incident={preview} networks={networks} places={shown} />
          </div>
        </div>
      </EntryFormBody>
      <LeaveGuard when={form.isDirty && !form.saving && !theirs && form.failure !== 'signedOut'} />
    </>
  )
}

/** One of the questions; on a phone each has the height of the screen. */
function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <section className="outage-step" aria-label={title}>
      <h2 className="flex items-center gap-3 text-xl">
        <span className="outage-number" aria-hidden="true">
          {number}
        </span>
        <span>{title}</span>
      </h2>
      <div className="grid gap-4">{children}</div>
    </section>
  )
}

function fieldsOf(t: Translate<keyof (typeof outageTexts)['fr']>, networks: Network[]): EntryField<Values>[] {
  const nameOf = ({ id_reseau, nom }: Values['elements'][number]) => {
    const network = networks.find((one) => one.id_reseau === id_reseau)?.nom || t('nameless')
    return nom ? `${nom} (${network})` : network
  }
  return [
    { key: 'elements', label: t('what'), read: ({ elements }) => elements.map(nameOf).toSorted().join(', ') },
    { key: 'severity', label: t('status'), show: (severity: Values['severity']) => t(statusKeys[severity]) },
    { key: 'phase', label: t('phase'), show: (phase: IncidentPhase) => t(phase) },
    { key: 'title', label: t('titleFr') },
    { key: 'title_en', label: t('titleEn') },
    { key: 'text', label: t('textFr') },
    { key: 'text_en', label: t('textEn') },
    { key: 'meanwhile', label: t('meanwhileFr') },
    { key: 'meanwhile_en', label: t('meanwhileEn') },
  ]
}

function valuesOf(incident: StaffIncident): Values {
  const { title, title_en, severity, elements, meanwhile, meanwhile_en, phase, updates, next_update_at: next } = incident
  const first = updates[0]
  const minutes = next ? (minuteChoices.find((one) => one > 0 && Date.parse(next) - Date.now() <= one * 60_000) ?? 0) : 0
  const texts = { text: first?.text ?? '', text_en: first?.text_en ?? '' }
  const stored = { id: incident.id_incident, version: incident.version, isPublished: !incident.draft }
  return { title, title_en, severity, elements, meanwhile, meanwhile_en, phase, minutes, ...texts, ...stored }
}

const isEnglishComplete = ({ title_en, text_en }: Values) => title_en.trim() !== '' && text_en.trim() !== ''

function inputOf({ title, title_en, severity, elements, meanwhile, meanwhile_en, phase, text, text_en, minutes }: Values) {
  const texts = { title, title_en, meanwhile, meanwhile_en, text, text_en }
  return { ...texts, severity, elements, phase, next_update_at: after(minutes) }
}

function previewOf(values: Values): Incident {
  const { text, text_en, ...fields } = inputOf(values)
  const at = new Date().toISOString()
  const update = { id_update: 1, phase: fields.phase, text, text_en, at }
  const rest = { id_incident: 0, number: '', started_at: at, resolved_at: null, updates: [update], source: 'staff' as const }
  return { ...fields, ...rest, draft: true, version: 1 }
}
