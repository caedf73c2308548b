import { useEffect, useId, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { PreviewPair } from '#src/features/content/web/preview.tsx'
import { entryTexts } from '#src/features/content/texts.ts'
import { EnglishBadge, englishStateOf, FrenchBadge } from '#src/features/content/web/use-bilingual.tsx'
import { locales } from '#src/lib/language/language.ts'
import { ApiError, callApi, getJson } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import type { useAction } from '#src/ui/components/use-action.ts'
import { SelectField, TextArea, TextField } from '#src/ui/forms/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { Incident, Network, StaffIncident } from '../contract.ts'
import { outageTexts } from '../outage-texts.ts'
import type { Audience } from '../subscription.ts'
import type { IncidentPhase } from '../values.ts'
import { incidentPhases } from '../values.ts'
import { MailPreview } from './outage-preview.tsx'

/* Parts of an outage's screen that its declaration and its later steps share, and the later steps. */

export type Api = ReturnType<typeof useAction>

export const path = '/api/networks/incidents'
export const listPath = '/admin/reseau/pannes'
export const minuteChoices = [0, 15, 30, 60, 120, 240]
export const after = (minutes: number) => (minutes > 0 ? new Date(Date.now() + minutes * 60_000).toISOString() : null)

type PhaseFieldProps = { phases: readonly IncidentPhase[]; value: IncidentPhase; onChange: (phase: IncidentPhase) => void }

export function PhaseField({ phases, value, onChange }: PhaseFieldProps) {
  const t = useTexts(outageTexts)
  const name = useId()
  return (
    <fieldset className="chips">
      <legend className="mb-1 font-bold">{t('phase')}</legend>
      {phases.map((phase) => (
        <label key={phase} className="chip">
          <input type="radio" name={name} checked={value === phase} onChange={() => onChange(phase)} />
          <span>{t(phase)}</span>
        </label>
      ))}
    </fieldset>
  )
}

export function NextField({ value, onChange }: { value: number; onChange: (minutes: number) => void }) {
  const t = useTexts(outageTexts)
  return (
    <SelectField label={t('nextUpdate')} optional value={value} onChange={(event) => onChange(Number(event.target.value))}>
      {minuteChoices.map((minutes) => (
        <option key={minutes} value={minutes}>
          {minutes === 0 ? t('noNext') : t('inMinutes', { count: minutes })}
        </option>
      ))}
    </SelectField>
  )
}

type BilingualProps<Key extends string> = {
  names: [Key, Key]
  labels: [string, string]
  values: Record<Key, string>
  /** What both texts were when they last agreed: the stored ones, or a prepared text. */
  before?: Partial<Record<Key, string>> | null
  /** Since when the stored English is older than its French. */
  olderSince?: string | undefined
  /** Whether a user confirmed that the English is still right; `onReview` does. */
  isReviewed?: boolean
  onReview?: () => void
  onChange: (changes: Partial<Record<Key, string>>) => void
  isLong?: boolean
  /** An outage may be published without it; the other French texts are required. */
  isOptional?: boolean
}

/** French and English side by side; the English says where it is missing, or older than its French. */
export function Bilingual<Key extends string>(props: BilingualProps<Key>) {
  const { names, labels, values, before, olderSince, isReviewed = false, onReview, onChange } = props
  const { isLong = false, isOptional = false } = props
  const e = useTexts(entryTexts)
  const pairOf = (from: Partial<Record<Key, string>>) => ({ french: from[names[0]] ?? '', english: from[names[1]] ?? '' })
  const state = englishStateOf(pairOf(values), before ? pairOf(before) : null, olderSince, isReviewed)
  return (
    <div className="grid gap-4 md:grid-cols-2">
      {names.map((name, index) => {
        const shared = {
          label: labels[index] ?? '',
          lang: index === 0 ? locales.fr : locales.en,
          badge: index === 0 ? <FrenchBadge /> : <EnglishBadge state={state} {...(olderSince && { olderSince })} />,
          hint: index === 1 && state === 'older' && onReview && (
            <Button variant="link" onClick={onReview}>
              {e('stillRight')}
            </Button>
          ),
          optional: isOptional || index === 1,
          value: values[name],
          onChange: (event: { target: { value: string } }) =>
            onChange({ [name]: event.target.value } as Partial<Record<Key, string>>),
        }
        return isLong ? (
          <TextArea key={name} rows={3} maxLength={2_000} {...shared} />
        ) : (
          <TextField key={name} maxLength={200} {...shared} />
        )
      })}
    </div>
  )
}

/** Texts of a form whose outage a colleague published meanwhile: they become those of an update. */
export type CarriedTexts = Pick<UpdateValues, 'phase' | 'text' | 'text_en'>
type UpdateValues = { phase: IncidentPhase; text: string; text_en: string; minutes: number }
type UpdateFormProps = { networks: Network[]; incident: StaffIncident; api: Api; carried?: CarriedTexts | undefined }

/** A later phase, or the end. */
export function UpdateForm({ networks, incident, api, carried }: UpdateFormProps) {
  const t = useTexts(outageTexts)
  const { revalidate } = useRevalidator()
  const [values, setValues] = useState<UpdateValues>({ phase: incident.phase, text: '', text_en: '', minutes: 30, ...carried })
  const [wantsMails, setWantsMails] = useState(true)
  const [isOvertaken, setOvertaken] = useState(false)
  const hasFailed = useRef(false)
  const readers = useAudience(incident.elements)
  const hasEnglish = incident.title_en.trim() !== '' && values.text_en.trim() !== ''
  const mails = wantsMails && hasEnglish
  const next_update_at = after(values.minutes)
  const handleSend = async () => {
    const { minutes: _, ...input } = values
    const clear = () => {
      hasFailed.current = false
      setOvertaken(false)
      // What was typed while it was being sent stays.
      setValues((now) => (now.text === input.text && now.text_en === input.text_en ? { ...now, text: '', text_en: '' } : now))
    }
    // An attempt whose answer was lost may have published it: then nobody else did.
    const isPublishedIn = (other: StaffIncident | undefined) => {
      const last = other?.updates.at(-1)
      return hasFailed.current && (['phase', 'text', 'text_en'] as const).every((name) => last?.[name] === input[name].trim())
    }
    if (isPublishedIn(incident)) return clear()
    try {
      await callApi('POST', `${path}/${incident.id_incident}/updates`, {
        ...input,
        mails,
        next_update_at,
        version: incident.version,
      })
      clear()
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) {
        hasFailed.current = true
        throw error
      }
      if (isPublishedIn(error.problem.current as StaffIncident | undefined)) clear()
      else setOvertaken(true)
    }
    await revalidate()
  }
  const isResolved = incident.resolved_at !== null
  if (isResolved && !isOvertaken && !carried) return null
  const update = { id_update: 0, at: new Date().toISOString(), phase: values.phase, text: values.text, text_en: values.text_en }
  return (
    <section className="mt-8 grid gap-4" aria-label={t('update')}>
      <h2 className="text-xl">{t('update')}</h2>
      <div role="alert">
        {(isOvertaken || carried) && (
          <p className="rounded-card bg-warn-soft px-5 py-4 font-bold">{t(isResolved ? 'overtakenResolved' : 'overtaken')}</p>
        )}
      </div>
      <div className="grid gap-4 md:grid-cols-2">
        <PhaseField phases={incidentPhases} value={values.phase} onChange={(phase) => setValues({ ...values, phase })} />
        <NextField value={values.minutes} onChange={(minutes) => setValues({ ...values, minutes })} />
      </div>
      <Bilingual
        names={['text', 'text_en']}
        labels={[t('textFr'), t('textEn')]}
        values={values}
        onChange={(changes) => setValues({ ...values, ...changes })}
        isLong
      />
      <MailBox readers={readers} isChecked={mails} isComplete={hasEnglish} onChange={setWantsMails} />
      {mails && (
        <PreviewPair>
          {(shown) => (
            <MailPreview incident={{ ...incident, next_update_at, updates: [update] }} networks={networks} language={shown} />
          )}
        </PreviewPair>
      )}
      <div>
        <Button disabled={api.busy || isResolved || !values.text.trim()} onClick={() => void api.run(handleSend, {})}>
          {t('update')}
        </Button>
      </div>
    </section>
  )
}

/** How many active subscribers follow these components; null until it is known. */
export function useAudience(elements: Incident['elements']) {
  const [readers, setReaders] = useState<Audience | null>(null)
  const networks = [...new Set(elements.map(({ id_reseau }) => id_reseau))].join(',')
  useEffect(() => {
    if (!networks) return setReaders(null)
    const { signal, abort } = abortable()
    getJson<Audience>(`/api/networks/subscribers/audience?networks=${networks}`, signal).then(setReaders, (error: unknown) => {
      if (!signal.aborted) console.error(error)
    })
    return abort
  }, [networks])
  return readers
}

function abortable() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

type MailBoxProps = {
  readers: Audience | null
  isChecked: boolean
  isComplete: boolean
  onChange: (isChecked: boolean) => void
}

/** Mails go to readers of both languages, so both texts are needed. */
export function MailBox({ readers, isChecked, isComplete, onChange }: MailBoxProps) {
  const t = useTexts(outageTexts)
  const { fr, en } = readers ?? { fr: 0, en: 0 }
  return (
    <label className="flex items-start gap-3">
      <input
        type="checkbox"
        className="mt-1.5"
        aria-label={t('mails', { count: fr + en })}
        checked={isChecked}
        disabled={!isComplete}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        <span>{t('mails', { count: fr + en })}</span>
        <small className="block text-ink-2">{isComplete ? t('mailsByLanguage', { fr, en }) : t('mailsNeedEnglish')}</small>
      </span>
    </label>
  )
}
